import PostgreSQLTestCluster
import TimeclockDomain

@testable import PostgreSQLStorage

extension StorageFactory {
  static let postgreSQL = StorageFactory(name: "PostgreSQL") {
    await Turnstile.shared.enter()
    do {
      return try await open()
    } catch {
      Turnstile.shared.leave()
      throw error
    }
  }

  /// A database with the tables and nothing in them: to copy it takes less than to make them each time.
  private static let template = Task {
    let conninfo = try PostgreSQLTestCluster.shared.get().makeDatabase()
    await (try PostgreSQLStorage.open(PostgreSQLLocation(conninfo), connectionsPerLoop: 2) { _ in }).close()
    return conninfo
  }

  private static func open() async throws -> StorageUnderTest {
    let cluster = try PostgreSQLTestCluster.shared.get()
    let conninfo = try cluster.makeDatabase(from: await template.value)
    // One that reads and two that write: enough for writes to meet. On a busy machine many that meet wait for longer than a
    // service lets them.
    let storage = try PostgreSQLStorage.open(
      PostgreSQLLocation(conninfo), connectionsPerLoop: 3, now: WallClock.system.now,
      sealingDelay: .milliseconds(200), patienceSeconds: 30, log: PostgreSQLTestCluster.report)
    return StorageUnderTest(
      storage: storage,
      close: {
        await storage.close()
        try? cluster.removeDatabase(conninfo)
        Turnstile.shared.leave()
      })
  }
}
