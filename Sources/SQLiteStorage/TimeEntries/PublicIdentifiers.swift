import Synchronization
import TimeclockDomain

/// The public ids of organizations and users by their rows. They never change, so they are kept in memory,
/// and a time entry is read without looking its owner up.
final class PublicIdentifiers: Sendable {
  private struct State {
    var organizations: [Int64: OrganizationID] = [:]
    var users: [Int64: UserID] = [:]
  }

  private let state = Mutex(State())

  /// Beyond this many, all are dropped and read again.
  private static let limit = 100_000

  /// The id of the organization in this row.
  func organization(_ row: Int64, on connection: SQLiteConnection) throws -> OrganizationID {
    if let known = state.withLock({ $0.organizations[row] }) { return known }
    let id: OrganizationID = try identifier(
      connection.statement("SELECT id FROM organizations WHERE organization_id = ?1"), row)
    state.withLock { state in
      if state.organizations.count >= Self.limit { state.organizations = [:] }
      state.organizations[row] = id
    }
    return id
  }

  /// The id of the user in this row.
  func user(_ row: Int64, on connection: SQLiteConnection) throws -> UserID {
    if let known = state.withLock({ $0.users[row] }) { return known }
    let id: UserID = try identifier(connection.statement("SELECT id FROM users WHERE user_id = ?1"), row)
    state.withLock { state in
      if state.users.count >= Self.limit { state.users = [:] }
      state.users[row] = id
    }
    return id
  }

  private func identifier<Subject>(_ statement: SQLiteStatement, _ row: Int64) throws -> Identifier<Subject> {
    guard let id: Identifier<Subject> = try statement.first([.integer(row)], { try $0.identifier(0) }) else {
      throw MalformedRow(column: "id")
    }
    return id
  }
}
