import TimeclockDomain

extension PostgreSQLStorage {
  package func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    defer { noteChange() }
    do {
      return try await onLoop { connections in
        // Each entry names its member itself.
        let kind = new.first.map { TransactionKind.long(of: $0.member.organization) } ?? .short()
        return try await connections.transaction(in: .noOrganization, kind) { transaction in
          try await transaction.once(recording) { try await transaction.create(new, keeping: keeping) }
        }
      }
    } catch let nothing as NothingKept {
      return nothing.outcomes
    }
  }
}

extension PostgreSQLTransaction {
  /// Creates the entries as `TimeEntryStorage.createTimeEntries` says. Throws `NothingKept`.
  fileprivate func create(
    _ new: [NewTimeEntry], keeping: BulkKeeping
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    try await lockMembers(of: new)
    let outcomes = try await create(new)
    try keeping.check(outcomes)
    return outcomes
  }

  /// Locks the memberships in the order in which everybody locks them, so that no two wait for each other. Nobody
  /// else writes entries of these members until the transaction ends.
  func lockMembers(of new: [NewTimeEntry]) async throws {
    let members = Set(new.map(\.member)).map { (order: WaitingQuery.LockOrder($0), key: $0) }
      .sorted { $0.order < $1.order }.map(\.key)
    guard !members.isEmpty else { return }
    claim(members.map(WaitingQuery.LockOrder.init))
    _ = try await run(
      members.map {
        PostgreSQLQuery(
          BulkRows.lockMember, [.integer($0.organization.value), .integer($0.user.value)],
          in: .organization($0.organization))
      })
  }

  /// Creates the entries that no mark binds one after the other, all in one round trip, and in another one looks up
  /// overlapping entries.
  func create(_ new: [NewTimeEntry]) async throws -> [Result<TimeEntry, TimeclockError>] {
    let refusals = try await markRefusals(of: new)
    let open = new.enumerated().filter { refusals[$0.offset] == nil }.map(\.element)
    var created = try await createOpen(open)[...]
    return new.indices.compactMap { place -> Result<TimeEntry, TimeclockError>? in
      if let refusal = refusals[place] { .failure(refusal) } else { created.popFirst() }
    }
  }

  private func createOpen(_ new: [NewTimeEntry]) async throws -> [Result<TimeEntry, TimeclockError>] {
    guard !new.isEmpty else { return [] }
    let answers = try await run(
      new.map {
        PostgreSQLQuery(TimeEntryWrites.create, of: $0, in: .organization($0.member.organization))
      })
    let numbers = try zip(new, answers).map { new, answer -> Result<Int64?, TimeclockError> in
      do {
        return .success(try TimeEntryWrites.Created(answer, of: new).number)
      } catch let error as TimeclockError {
        return .failure(error)
      }
    }
    var overlaps = try await overlaps(of: new, numbers: numbers)[...]
    return try zip(new, numbers).map { new, number in
      switch number {
      case .failure(let error): return .failure(error)
      case .success(.some): return .success(new.entry)
      case .success(nil):
        guard let overlaps = overlaps.popFirst(), overlaps.count > 0 else {
          throw LoopConnections.unavailable
        }
        return .failure(.overlap(overlaps.entries, count: overlaps.count))
      }
    }
  }

  /// The entries in the way of each entry that the constraints have refused.
  ///
  /// Numbers only grow, and nobody else has written these members' entries meanwhile: entries whose numbers are those
  /// of the next created entry or greater came later than the refused one.
  private func overlaps(
    of new: [NewTimeEntry], numbers: [Result<Int64?, TimeclockError>]
  ) async throws -> [TimeEntryOverlaps] {
    var next = Int64.max
    var refused: [OrganizationKey: BulkRows.Refused] = [:]
    for (place, (new, number)) in zip(new, numbers).enumerated().reversed() {
      switch number {
      case .success(let number?): next = number
      case .success(nil): refused[new.member.organization, default: .init()].add(new, at: place, before: next)
      case .failure: break
      }
    }
    guard !refused.isEmpty else { return [] }
    let lookUps = refused.map { organization, refused in
      PostgreSQLQuery(
        BulkRows.overlapping, of: (organization, refused), in: .organization(organization))
    }
    let answers = try await run(
      [BulkRows.planning(forLookUps: true)] + lookUps + [BulkRows.planning(forLookUps: false)])
    var overlaps: [Int64: TimeEntryOverlaps] = [:]
    for answer in answers.dropFirst().dropLast() {
      for (entry, count, place) in try answer.map(BulkRows.overlap) {
        overlaps[place, default: TimeEntryOverlaps(entries: [], count: count)].entries.append(entry)
      }
    }
    return zip(numbers.indices, numbers).compactMap { place, number in
      guard case .success(nil) = number else { return nil }
      return overlaps[Int64(place)] ?? TimeEntryOverlaps(entries: [], count: 0)
    }
  }
}

/// The statements that create entries together.
enum BulkRows {
  static let lockMember = PostgreSQLStatement(
    "SELECT user_id FROM members WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE")

  /// Entries that the constraints have refused, as the columns of a table.
  struct Refused {
    fileprivate private(set) var places: [String] = []
    fileprivate private(set) var users: [String] = []
    fileprivate private(set) var starts: [String] = []
    fileprivate private(set) var ends: [String] = []
    fileprivate private(set) var numbers: [String] = []

    init() {}

    /// Adds an entry that overlaps an entry with a number before `next`.
    mutating func add(_ new: NewTimeEntry, at place: Int, before next: Int64) {
      places.append("\(place)")
      users.append("\(new.member.user.value)")
      starts.append("\(new.entry.clockInTime.millisecondsSince1970)")
      ends.append(new.entry.clockOutTime.map { "\($0.millisecondsSince1970)" } ?? "NULL")
      numbers.append("\(next)")
    }
  }

  /// The values of a column as an array, as PostgreSQL writes it.
  private static func array(_ values: [String]) -> PostgreSQLValue {
    .text("{\(values.joined(separator: ","))}")
  }

  /// Makes the planner use look-ups for `overlapping`, or restores its default for later statements.
  ///
  /// Without statistics PostgreSQL takes a member's history for one row, and would as soon sort it as walk it from its
  /// end, for each look-up again. So it sorts only rows that no index has in order; the cost that this stands for would
  /// have it compile the statement, which takes longer than the statement.
  static func planning(forLookUps: Bool) -> PostgreSQLQuery {
    PostgreSQLQuery(setPlanning, [.text(forLookUps ? "off" : "on")], in: .noOrganization)
  }

  private static let setPlanning = PostgreSQLStatement(
    "SELECT set_config('enable_sort', $1, true), set_config('jit', $1, true)")

  /// Finds the entries in the way of each refused entry, among those before a number: one statement for all, to be sent
  /// behind `planning(forLookUps: true)`. Planned for the size that the table has by now, because imported rows have no
  /// statistics yet.
  static let overlapping = NamedStatement<(organization: OrganizationKey, refused: Refused)>(
    [
      "organization": { .integer($0.organization.value) },
      "places": { array($0.refused.places) },
      "users": { array($0.refused.users) },
      "starts": { array($0.refused.starts) },
      "ends": { array($0.refused.ends) },
      "numbers": { array($0.refused.numbers) },
    ], isPlannedAnew: true,
    text: """
      SELECT o.* FROM unnest($places::text::bigint[], $users::text::bigint[], $starts::text::bigint[], \
      $ends::text::bigint[], $numbers::text::bigint[]) AS n (place, user_id, clock_in, clock_out, before) \
      CROSS JOIN LATERAL ( \
      \(TimeEntryRows.overlapping(
        "\(TimeEntryRows.columns), n.place", user: "n.user_id", from: "n.clock_in", to: "n.clock_out",
        where: "e.entry_number < n.before"))) o ORDER BY n.place
      """)

  /// The entry in a row of `overlapping`, the number of such entries, and the place of the entry that they are in the
  /// way of.
  static func overlap(_ row: PostgreSQLRow) throws -> (entry: TimeEntry, count: Int, place: Int64) {
    let column = TimeEntryRows.columnCount
    return (try TimeEntryRows.entry(row), Int(row.integer(column + 1)), row.integer(column))
  }
}
