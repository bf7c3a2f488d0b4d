/// The reason why an organization was not moved. Each description is one line for the person who runs the command.
package enum MoveError: Error, Hashable, CustomStringConvertible {
  /// The source has no such organization, or several of this name.
  case noSuchOrganization(count: Int)
  /// The organization is being deleted, or is deleted.
  case deleted
  /// Another move of the organization is under way, or source and target are one database.
  case busy
  /// The organization has moved to the target, which has it no more.
  case lost(address: String)
  /// A move of the organization to another database has begun, or was done.
  case otherTarget
  /// The target has the organization, but from no move.
  case alreadyThere
  /// Accounts of the target have the addresses of members, and are of other people by their ids.
  case otherAccounts(addresses: [String])
  /// Transactions that began before the source was closed go on.
  case olderTransactions(processes: [String])
  /// Changes of the organization wait for their seals.
  case unsealedChanges
  /// The target did not return the rows that were written.
  case differs(table: String)
  /// The chain of changes is broken, or rows are not as it says.
  case faults([String])
  /// Nothing moves that could be called off, or it is too late.
  case notMoving
  case arrived
  /// There is nothing to clear: the organization is here, or on its way.
  case notMoved
  /// The connection was lost while the target committed.
  case outcomeUnknown(reason: String)

  package var description: String {
    switch self {
    case .noSuchOrganization(0): "The source has no organization with this id or name."
    case .noSuchOrganization(let count): "\(count) organizations have this name: name the one by its id."
    case .deleted: "The organization is deleted, or being deleted."
    case .busy:
      "Another move of this organization is under way, or the source and the target are the same database."
    case .lost(let address):
      """
      The organization has moved to \(address), and is not there any more, as in a database that was restored to the time \
      before: --abandon opens it here again.
      """
    case .otherTarget:
      "The organization moves to another database, or has moved there: name that one with --to."
    case .alreadyThere:
      """
      The target has an organization with this id that was not moved there, as a copy has, or that has moved on \
      from there (--clear deletes what such a one has left). Nothing was done.
      """
    case .otherAccounts(let addresses):
      """
      The target has other accounts with the addresses of \(addresses.count) members: \
      \(addresses.prefix(20).joined(separator: ", "))\(addresses.count > 20 ? ", …" : ""). Have each of these people \
      change their address in one of the cells first. Nothing was done.
      """
    case .olderTransactions(let processes):
      """
      Transactions of the source that began before it was closed go on, in the processes \
      \(processes.joined(separator: ", ")): end them, or wait, and run this again. The organization stays closed until then \
      (--abandon opens it).
      """
    case .unsealedChanges:
      "Changes of the organization wait for their seals. Run this again (--abandon opens the organization)."
    case .differs(let table):
      "The target's rows of \(table) differ from the source's. Nothing was kept there."
    case .faults(let faults):
      """
      The log of changes and the rows do not fit (timeclock verify names all faults): \
      \(faults.prefix(3).joined(separator: "; ")). Nothing was kept in the target (--abandon opens the organization).
      """
    case .notMoving: "The organization is not being moved: there is nothing to abandon."
    case .notMoved: "The organization has not moved to the target: nothing was deleted."
    case .arrived:
      "The target has the organization already: run the same command without --abandon to finish the move."
    case .outcomeUnknown(let reason):
      "The connection to the target was lost while it committed: run the same command again. (\(reason))"
    }
  }
}
