import Glibc

/// The first bytes of a file, by which it is known whether SQLite should open it at all.
struct FileHeader {
  private let bytes: [UInt8]

  /// - Parameter descriptor: An open file.
  init(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    let count = pread(descriptor, &bytes, Self.byteCount, 0)
    self.bytes = Array(bytes.prefix(max(count, 0)))
  }

  /// Makes sure that the file is empty, or a database that may be this program's, which has no application's id
  /// (sqlite.org/fileformat2.html, section 1.3).
  ///
  /// - Parameters:
  ///   - path: The file's path, for the error.
  ///   - hadDatabase: Whether it is known to have been a database.
  /// - Throws: `SQLiteStorageError.notDatabase`, `.foreignDatabase`; `.damaged` for a former database.
  func requireDatabase(at path: String, hadDatabase: Bool) throws {
    guard !bytes.isEmpty else { return }
    guard bytes.starts(with: Self.mark) else {
      throw hadDatabase
        ? SQLiteStorageError.damaged(path: path, reason: "it does not begin as a database does")
        : SQLiteStorageError.notDatabase(path: path, likeness)
    }
    let application = bytes.count >= Self.byteCount ? bytes[68..<72] : []
    guard application.allSatisfy({ $0 == 0 }) else { throw SQLiteStorageError.foreignDatabase }
  }

  /// The kind of file that the first bytes suggest.
  private var likeness: SQLiteStorageError.OtherFile {
    let isDump = bytes.starts(with: "PGDMP".utf8) || bytes.starts(with: "--\n-- PostgreSQL database".utf8)
    return isDump ? .postgreSQLDump : .unknown
  }

  /// The bytes of SQLite's header, and the ones with which it begins.
  private static let byteCount = 100
  private static let mark = Array("SQLite format 3\0".utf8)
}
