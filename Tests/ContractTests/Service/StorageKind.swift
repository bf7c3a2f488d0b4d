import Foundation
import PostgreSQLStorage
import PostgreSQLTestCluster
import Procedures
import SQLiteStorage
import SQLiteTestFile
import Testing
import TimeclockDomain

/// A kind of storage that the suite runs on.
enum StorageKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqlite = "on SQLite"
  case postgreSQL = "on PostgreSQL"

  var testDescription: String { rawValue }

  /// Opens an empty storage for one service.
  ///
  /// - Returns: The storage, and a closure that removes its data once it is closed.
  /// - Throws: The reason why it cannot be opened: a PostgreSQL that is not installed is an error, too.
  func open(now: Instant) async throws -> (any Storage, removeData: @Sendable () -> Void) {
    switch self {
    case .sqlite:
      let folder = Self.place.appending(path: "timeclock-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appending(path: "timeclock.db").path
      try await EmptySQLiteFile.copy(to: path)
      let storage = try SQLiteStorage.open(path: path, now: now) {}
      return (storage, { try? FileManager.default.removeItem(at: folder) })
    case .postgreSQL:
      let database = try EmptyDatabases.shared.take()
      let storage = try PostgreSQLStorage.open(
        PostgreSQLLocation(database), connectionsPerLoop: 2, now: now, log: PostgreSQLTestCluster.report)
      return (storage, { EmptyDatabases.shared.giveBack(database) })
    }
  }

  /// The place of SQLite's files: in memory if the system has such a place. On a disk the scenarios take a quarter
  /// longer, and they are not about durability.
  private static let place: URL = {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }()
}
