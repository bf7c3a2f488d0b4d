import Foundation
import SQLiteStorage

/// A database file with the tables and nothing in them: to copy it takes a fraction of the time that the migrations take.
public enum EmptySQLiteFile {
  private static let bytes = Task {
    let folder = FileManager.default.temporaryDirectory.appending(path: "timeclock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "timeclock.db")
    // The last to close it moves all of its log into the file.
    await (try SQLiteStorage.open(path: file.path) {}).close()
    return try Data(contentsOf: file)
  }

  /// Writes such a file, if there is none at the path yet.
  public static func copy(to path: String) async throws {
    try await bytes.value.write(to: URL(filePath: path), options: .withoutOverwriting)
  }
}
