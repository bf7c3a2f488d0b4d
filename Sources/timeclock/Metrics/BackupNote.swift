import FoundationEssentials
import Glibc

/// The note beside an SQLite database of when it was backed up last, for the metrics of its server: a back-up is another
/// process's, which only reads the database.
enum BackupNote {
  /// Notes a back-up that has been made just now, in a file that everybody may read who may enter the folder.
  ///
  /// - Throws: `CocoaError` if the folder takes no file.
  static func write(ofDatabase path: String) throws {
    try Data("\(Glibc.time(nil))\n".utf8).write(to: URL(filePath: Self.path(path)), options: .atomic)
    chmod(Self.path(path), 0o644)
  }

  /// The time of the last back-up that was noted, in seconds since 1970; nil if there is none.
  static func time(ofDatabase path: String) -> Int? {
    guard let content = FileManager.default.contents(atPath: Self.path(path)), content.count <= 32 else {
      return nil
    }
    return Int(String(decoding: content, as: UTF8.self).filter { $0 != "\n" })
  }

  private static func path(_ database: String) -> String { "\(database)-backup" }
}
