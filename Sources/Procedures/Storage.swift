import TimeclockDomain

/// The place where everything is kept. Two implementations exist, and one conformance suite defines what both must do.
///
/// The protocol has the work that each storage does in its own way: transactions, the statements of time entries,
/// reports, exports, the log. Every other action on records is an extension that runs in one transaction (`write`) or
/// is one statement (`read`), written once for both.
///
/// Every method is atomic: it happens whole or not at all, and its result is committed and on disk. Every method throws
/// `TimeclockError`: the refusals that each one names, and besides `.unavailable` or `.storageFull` when the database
/// cannot do it now. After `.unavailable` from a write it may be unknown whether the write happened; it is never
/// reported as done if it is not. Methods that take an `OrganizationKey` or `MemberKey` see nothing of any other
/// organization.
package protocol Storage: MemberStorage, TokenStorage, TimeEntryStorage, SessionStorage, ImportStorage,
  ForgottenEntryStorage, PresenceStorage, ReportStorage, ChangeStorage, TimerStorage, AnswerStorage,
  PersonalDataStorage, TimeEntryExportStorage, LogInAttemptStorage
{
  /// The inside of a transaction.
  associatedtype Transaction: RecordTransaction

  /// Runs a statement that reads, and reads each row that it gives.
  ///
  /// - Parameters:
  ///   - scope: The owner of the rows that it is about.
  ///   - limit: The approximate number of rows that it gives; many of them keep no event loop.
  func read<Value: Sendable>(
    _ statement: RecordStatement, _ values: [RecordValue], in scope: RecordScope, limit: Int,
    _ row: @escaping @Sendable (inout RecordRow<Transaction.Row>) throws -> Value
  ) async throws -> [Value]

  /// Runs a transaction; committed when it returns.
  ///
  /// - Parameters:
  ///   - recording: Keeps the answer to the request in the transaction; a request that was answered before does
  ///     nothing, and throws `AnsweredBefore`.
  ///   - body: May run again if the database asks for it.
  /// - Throws: Any error of `body`, and then nothing is done.
  func write<Value: Sendable>(
    _ kind: RecordWrite, recording: AnswerRecording<Value>?,
    _ body: @escaping @Sendable (Transaction) async throws -> Value
  ) async throws -> Value

  /// Announces timers that may have been committed to listeners in this process, and soon to other processes.
  func announce(_ timers: [ChangedTimer])

  /// Whether this program is to do the work now that one of the programs on a database does for all of them. Of several that
  /// ask within the same minute by the database's clock it is one; also others if the database cannot be asked. It saves work, and
  /// promises nothing: two may be at it at once.
  func takesTurn(at work: SharedWork) async -> Bool

  /// Succeeds when reads can be served now, and writes unless all are refused.
  func checkReadiness() async throws

  /// Finishes calls under way and closes the database. Call it once; nothing works afterwards.
  func close() async
}

/// Work that one of the programs on a database does for all of them.
package enum SharedWork: Sendable {
  /// Looking for what is due or old, in all organizations.
  case jobs
  /// Counting, for metrics. Programs without metrics do not.
  case counting
}
