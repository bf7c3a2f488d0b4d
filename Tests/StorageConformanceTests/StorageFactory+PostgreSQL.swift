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
      close: {
        await storage.close()
        try? cluster.removeDatabase(conninfo)
        Turnstile.shared.leave()
      })
  }
}
