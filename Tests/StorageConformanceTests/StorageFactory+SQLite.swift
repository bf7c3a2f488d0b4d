import Glibc
import TimeclockDomain

@testable import SQLiteStorage

extension StorageFactory {
  static let sqlite = StorageFactory(name: "SQLite") {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage.open(path: folder.path + "/timeclock.db") {}
    return StorageUnderTest(
      storage: storage,
      addSession: { id, organization, users in
        try await storage.writer.write { try $0.insertSession(id, organization, users) }
      },
      close: {
        await storage.close()
        folder.remove()
      })
  }
}

extension SQLiteTransaction {
  fileprivate func insertSession(
    _ id: SessionID, _ organization: OrganizationKey, _ users: [UserKey]
  ) throws {
    try statement(
      """
      INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
      VALUES (?1, ?2, 20000, 'Evening class', 1, 0, 0)
      """
    ).run([.integer(organization.value), .identifier(id)])
    let row = connection.lastInsertedRow
    for user in users {
      try statement("INSERT INTO session_assignees VALUES (?1, ?2, ?3)")
        .run([.integer(organization.value), .integer(row), .integer(user.value)])
    }
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
