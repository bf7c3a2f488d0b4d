import StorageCalls
import Synchronization
import TimeclockDomain

@testable import PostgreSQLStorage

/// A foreign call with the service's own statements, to compare with its outcome if a statement is another.
struct RecordedCall: Sendable {
  let call: ForeignCall
  let outcome: ForeignCallTrial.Outcome
  /// The texts of the statements that it sends.
  let statements: Set<String>
}

/// Makes foreign calls through storages that send other statements than the service's.
struct ForeignCallTrial: Sendable {
  /// The result of a call.
  struct Outcome: Equatable, Sendable {
    let answer: String
    /// Whether every row of theirs is as before.
    let isUntouched: Bool

    var isLeak: Bool { !isUntouched || answer.contains("Umbrella") }
  }

  private let database: TestDatabase
  /// Sends the service's own statements.
  private let plain: PostgreSQLStorage
  /// Every table with an organization's rows.
  private let tables: [String]

  init(in database: TestDatabase) throws {
    self.database = database
    plain = try database.open()
    tables = try database.execute(
      """
      SELECT table_name FROM information_schema.columns JOIN information_schema.tables
      USING (table_schema, table_name)
      WHERE column_name = 'organization_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'
      """
    ).split(separator: "\n").map(String.init)
  }

  func end() async {
    await plain.close()
  }

  /// Makes every call once.
  ///
  /// - Parameter together: The number of calls through one storage. A statement counts for the first of them that sends
  ///   it: a storage sends its text once a connection, and has caches. With 1 every call has all its statements.
  /// - Throws: An error of a call that is no refusal.
  func record(_ calls: [ForeignCall], together: Int = 1) async throws -> [RecordedCall] {
    let parts = stride(from: 0, to: calls.count, by: together).map {
      calls[$0..<min($0 + together, calls.count)]
    }
    return try await divided(parts) { part, organizations in
      let sent = Mutex<Set<String>>([])
      return try await withStorage { text, _ in
        sent.withLock { _ = $0.insert(text) }
        return text
      } _: { storage in
        var recorded: [RecordedCall] = []
        for call in part {
          sent.withLock { $0 = [] }
          let outcome = try await organizations.outcome(of: call) { asked in
            try await call.call.answerOrRefusal(asked, in: storage)
          }
          recorded.append(RecordedCall(call: call, outcome: outcome, statements: sent.withLock { $0 }))
        }
        return recorded
      }
    }.flatMap(\.self)
  }

  /// Makes calls again, each if one statement forgets a condition.
  ///
  /// - Parameters:
  ///   - groups: Conditions of which no call meets two.
  ///   - conninfo: The connection, if not as the role that owns the database.
  /// - Returns: For each group, and each of its conditions, the outcomes of its calls in the order of their places; nil
  ///   for a condition whose statement has not been sent.
  func replay(
    _ groups: [[ForgottenCondition]], of recorded: [RecordedCall], as conninfo: String? = nil
  ) async throws -> [[[Outcome]?]] {
    try await divided(groups) { group, organizations in
      var outcomes = try await replay(group, of: recorded, as: conninfo, &organizations)
      // A storage that knows people's ids does not ask for them. If nothing was sent, a new storage is tried.
      for (number, condition) in group.enumerated() where outcomes[number] == nil {
        var fresh = organizations.fresh
        outcomes[number] = try await replay([condition], of: recorded, as: conninfo, &fresh)[0]
      }
      return outcomes
    }
  }

  private func replay(
    _ group: [ForgottenCondition], of recorded: [RecordedCall], as conninfo: String?,
    _ organizations: inout Organizations
  ) async throws -> [[Outcome]?] {
    let forgetful = Dictionary(uniqueKeysWithValues: group.map { ($0.statement, $0.forgetful) })
    let sent = Mutex<Set<String>>([])
    return try await withStorage(as: conninfo) { text, _ in
      guard let changed = forgetful[text] else { return text }
      sent.withLock { _ = $0.insert(text) }
      return changed
    } _: { storage in
      var outcomes: [[Outcome]?] = []
      for condition in group {
        var found: [Outcome] = []
        for number in condition.calls {
          let call = recorded[number].call
          found.append(
            try await organizations.outcome(of: call) { await call.call.outcome($0, in: storage) })
        }
        outcomes.append(sent.withLock { $0.contains(condition.statement) } ? found : nil)
      }
      return outcomes
    }
  }

  /// The texts of the statements that calls of all other methods send: those that take no organization's key.
  func statementsOfOtherMethods() async throws -> Set<String> {
    let sent = Mutex<Set<String>>([])
    return try await withStorage { text, _ in
      sent.withLock { _ = $0.insert(text) }
      return text
    } _: { storage in
      for method in StorageCalls.whileOpen where method.scope != .organization {
        for call in method.calls {
          let organization = try await PreparedOrganization.make("Acme", in: plain)
          try await call.prepare(organization, in: plain)
          _ = await call.outcome(organization, in: storage)
        }
      }
      return sent.withLock { $0 }
    }
  }

  private func withStorage<Value>(
    as conninfo: String? = nil, _ rewrite: @escaping StatementRewriting,
    _ body: (PostgreSQLStorage) async throws -> Value
  ) async throws -> Value {
    let storage = try PostgreSQLStorage.open(
      PostgreSQLLocation(conninfo ?? database.conninfo), connectionsPerLoop: 2, now: TestDatabase.now,
      sealingDelay: nil, patienceSeconds: 30, rewrite: rewrite
    ) { _ in }
    do {
      let value = try await body(storage)
      await storage.close()
      return value
    } catch {
      await storage.close()
      throw error
    }
  }

  /// How often an element is tried. On a busy machine others disturb it more than once.
  private static let attempts = 5

  /// Runs `body` for every element in four tasks, each with its own organizations. Without the wall a statement that
  /// forgets its condition also changes organizations that another task is preparing: that one starts again then.
  ///
  /// - Returns: The results in the order of the elements.
  private func divided<Element: Sendable, Value: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element, inout Organizations) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: [(Int, Value)].self) { tasks in
      for part in 0..<4 {
        tasks.addTask {
          var organizations = Organizations(storage: plain, tables: tables)
          var values: [(Int, Value)] = []
          for number in stride(from: part, to: elements.count, by: 4) {
            for attempt in 1... {
              do {
                values.append((number, try await body(elements[number], &organizations)))
                break
              } catch is TimeclockError where attempt < Self.attempts {
                organizations = organizations.fresh
              }
            }
          }
          return values
        }
      }
      return try await tasks.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// The organizations that calls are made with. They are used again as long as none of their rows has changed.
private struct Organizations {
  private struct Kept {
    let pair: OrganizationPair
    /// Digests of all rows.
    let theirs: String
    let ours: String
  }

  let storage: PostgreSQLStorage
  private let digest: PostgreSQLStatement
  private var kept: [ForeignCall.Names: Kept] = [:]

  init(storage: PostgreSQLStorage, tables: [String]) {
    self.storage = storage
    let rows = tables.map { "SELECT '\($0)' || t::text AS line FROM \($0) t WHERE organization_id = $1" }
    digest = PostgreSQLStatement(
      "SELECT md5(string_agg(line, ' ' ORDER BY line)) FROM (\(rows.joined(separator: " UNION ALL "))) r")
  }

  /// A copy without any organization.
  var fresh: Organizations {
    var fresh = self
    fresh.kept = [:]
    return fresh
  }

  /// Makes a call, and compares the rows of theirs before and after.
  ///
  /// - Parameter answer: Makes the call with our organization's ids.
  mutating func outcome(
    of call: ForeignCall, _ answer: (PreparedOrganization) async throws -> String
  ) async throws -> ForeignCallTrial.Outcome {
    let before = try await take(for: call)
    let answer = try await answer(before.pair.asked)
    let after = try await keeping(before.pair)
    let isUntouched = after.theirs == before.theirs
    if isUntouched, !call.call.needsPreparation {
      kept[call.names] = after
      if after.ours != before.ours {
        let next = try await OrganizationPair.make(with: call.names, about: before.pair.theirs, in: storage)
        // Theirs does not change when a new organization has the same people.
        kept[call.names] = Kept(pair: next, theirs: after.theirs, ours: try await rows(of: next.ours))
      }
    }
    return ForeignCallTrial.Outcome(answer: answer, isUntouched: isUntouched)
  }

  /// Returns organizations for a call. A call with a preparation gets new ones.
  private mutating func take(for call: ForeignCall) async throws -> Kept {
    if !call.call.needsPreparation, let found = kept.removeValue(forKey: call.names) { return found }
    let pair = try await OrganizationPair.make(with: call.names, in: storage)
    for organization in [pair.theirs, pair.ours] {
      try await call.call.prepare(organization, in: storage)
    }
    return try await keeping(pair)
  }

  private func keeping(_ pair: OrganizationPair) async throws -> Kept {
    Kept(pair: pair, theirs: try await rows(of: pair.theirs), ours: try await rows(of: pair.ours))
  }

  /// Returns a digest of all rows of an organization.
  private func rows(of organization: PreparedOrganization) async throws -> String {
    try await storage.read(
      digest, [.integer(organization.key.value)], in: .organization(organization.key)
    ).first { $0.text(0) } ?? ""
  }
}
