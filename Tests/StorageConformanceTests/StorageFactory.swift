import Foundation
import Procedures
import Testing
import TimeclockDomain

/// A kind of storage that the suite runs on. Another kind joins by one more element of `all`.
struct StorageFactory: Sendable, CustomTestStringConvertible {
  let name: String
  /// Opens an empty storage of its own for one test.
  let open: @Sendable () async throws -> StorageUnderTest

  /// Every kind; SQLite alone if `TIMECLOCK_TEST_QUICK` is 1.
  static let all: [StorageFactory] =
    ProcessInfo.processInfo.environment["TIMECLOCK_TEST_QUICK"] == "1" ? [.sqlite] : [.sqlite, .postgreSQL]

  var testDescription: String { name }

  /// Runs a test in a world of its own, and closes the storage afterwards.
  func run(_ test: (World) async throws -> Void) async throws {
    let underTest = try await open()
    do {
      await underTest.awaitReadiness()
      try await test(World(underTest))
    } catch {
      await underTest.close()
      throw error
    }
    await underTest.close()
  }
}

/// An empty storage, and its fate after the test.
struct StorageUnderTest: Sendable {
  let storage: any Storage
  /// Closes the storage and removes its files.
  let close: @Sendable () async -> Void

  /// On a busy machine connections may take longer than a call of the storage waits for one. A refusal is no secret.
  fileprivate func awaitReadiness() async {
    for _ in 0..<10 {
      do {
        return try await storage.checkReadiness()
      } catch {
        print("A storage is not ready from its opening: \(error)")
      }
    }
  }
}
