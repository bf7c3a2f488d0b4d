import Glibc
import SQLiteTestFile
import TimeclockDomain

@testable import SQLiteStorage

extension StorageFactory {
  static let sqlite = StorageFactory(name: "SQLite") {
    let folder = try TemporaryFolder()
    let path = folder.path + "/timeclock.db"
    try await EmptySQLiteFile.copy(to: path)
    let storage = try SQLiteStorage.open(path: path) {}
    return StorageUnderTest(
      storage: storage,
      close: {
        await storage.close()
        folder.remove()
      })
  }
}

/// A folder that goes away with its test.
private struct TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/timeclock-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TemporaryFolderError(code: errno) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  func remove() {
    for name in ["timeclock.db", "timeclock.db-wal", "timeclock.db-shm", "timeclock.db.lock"] {
      unlink(path + "/" + name)
    }
    rmdir(path)
  }
}

private struct TemporaryFolderError: Error {
  let code: Int32
}
