import Procedures
import TimeclockDomain

extension PostgreSQLTransaction {
  /// Refuses changes that marks bind, as `RecordTransaction.requireOpen` does. The members are locked.
  ///
  /// - Throws: `.periodLocked`.
  func requireOpen(
    _ changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    let changes = BoundChange.byMember(changes, at: context.time)
    guard !changes.isEmpty else { return }
    let marks = try await marks(of: Array(changes.keys), in: organization)
    for (userID, changes) in changes {
      for change in changes { try marks[userID]?.requireOpen(change, by: context.boundBy) }
    }
  }

  /// The marks of people who have some, in one round trip.
  func marks(
    of userIDs: [UserID], in organization: OrganizationKey
  ) async throws -> [UserID: PeriodEnds] {
    let statement = MarkStatements.ofPerson
    let answers = try await run(
      .of(statement), each: userIDs.map { [.integer(organization.value), .identifier($0)] },
      in: .organization(organization))
    var marks: [UserID: PeriodEnds] = [:]
    for (userID, rows) in zip(userIDs, answers) {
      marks[userID] = rows.all(named: statement.names, PeriodEnds.init).first
    }
    return marks
  }

  /// The reasons why marks let new entries not be kept, by their places. The members are locked.
  func markRefusals(of new: [NewTimeEntry]) async throws -> [Int: TimeclockError] {
    var bound: [OrganizationKey: [(place: Int, change: BoundChange)]] = [:]
    for (place, new) in new.enumerated() {
      guard let change = new.boundChange else { continue }
      bound[new.member.organization, default: []].append((place, change))
    }
    var refusals: [Int: TimeclockError] = [:]
    for (organization, bound) in bound {
      let marks = try await marks(of: Array(Set(bound.map(\.change.userID))), in: organization)
      for (place, change) in bound {
        guard let mark = marks[change.userID]?.mark(on: change, by: new[place].context.boundBy) else {
          continue
        }
        refusals[place] = .periodLocked(mark, count: nil)
      }
    }
    return refusals
  }
}

extension NewTimeEntry {
  /// The entry as marks look at it; nil for a clock-in as it happens, which none binds.
  var boundChange: BoundChange? { BoundChange.found(from: nil, to: .timeEntry(entry), at: context.time) }
}
