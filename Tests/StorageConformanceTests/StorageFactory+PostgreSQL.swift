import PostgreSQLTestCluster
import TimeclockDomain

@testable import PostgreSQLStorage

extension StorageFactory {
  static let postgreSQL = StorageFactory(name: "PostgreSQL") {
    await Turnstile.shared.enter()
    do {
      return try open()
    } catch {
      Turnstile.shared.leave()
      throw error
    }
  }

  private static func open() throws -> StorageUnderTest {
    let cluster = try PostgreSQLTestCluster.shared.get()
    let conninfo = try cluster.makeDatabase()
    // One that reads and two that write: enough for writes to meet.
    let storage = try PostgreSQLStorage.open(PostgreSQLLocation(conninfo), connectionsPerLoop: 3) { _ in }
    return StorageUnderTest(
      storage: storage,
      addSession: { id, organization, users in
        try await storage.insertSession(id, organization, users)
      },
      close: {
        await storage.close()
        try? cluster.removeDatabase(conninfo)
        Turnstile.shared.leave()
      })
  }
}

extension PostgreSQLStorage {
  fileprivate func insertSession(
    _ id: SessionID, _ organization: OrganizationKey, _ users: [UserKey]
  ) async throws {
    try await changeAccess { transaction in
      let row = try await transaction.run(
        PostgreSQLStatement(
          """
          INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
          VALUES ($1, $2, 20000, 'Evening class', 1, 0, 0) RETURNING session_id
          """), [.integer(organization.value), .identifier(id)]
      ).first { $0.integer(0) }
      for user in users {
        try await transaction.run(
          PostgreSQLStatement("INSERT INTO session_assignees VALUES ($1, $2, $3)"),
          [.integer(organization.value), .optional(row), .integer(user.value)])
      }
    }
  }
}
