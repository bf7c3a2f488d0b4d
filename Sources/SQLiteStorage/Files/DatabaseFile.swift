import Glibc

/// The database's file and folder, as far as SQLite leaves them to us.
struct DatabaseFile {
  /// The absolute path without symbolic links, by which SQLite names the log and the index beside the file,
  /// and the storage its lock: two ways to one file must meet at one lock.
  let path: String

  /// Finds the place without opening anything: closing a descriptor of an open database would drop SQLite's
  /// locks on it (sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Throws: `SQLiteStorageError.unsupportedPath` for a path that SQLite would keep in memory or in a temporary file;
  ///   `.cannotOpen` if the folder does not exist.
  init(_ path: String) throws {
    guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:"), !path.hasSuffix("/") else {
      throw SQLiteStorageError.unsupportedPath
    }
    if let resolved = Self.resolved(path) {
      self.path = resolved
    } else {
      let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
      guard errno == ENOENT, let folder = Self.resolved(Self.folder(of: path)) else {
        throw Self.failure(path)
      }
      self.path = folder == "/" ? "/" + name : folder + "/" + name
    }
  }

  /// Whether there is a file.
  var exists: Bool { access(path, F_OK) == 0 }

  /// The size in bytes of the file, or of the one beside it with this suffix; 0 if there is none.
  func size(_ suffix: String = "") -> Int {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Makes sure that a log that holds something has a database beside it: SQLite deletes a log without one.
  ///
  /// - Throws: `SQLiteStorageError.logWithoutDatabase`.
  func requireDatabaseBesideLog() throws {
    guard size() > 0 || size("-wal") == 0 else { throw SQLiteStorageError.logWithoutDatabase(path: path) }
  }

  /// Opens the file without SQLite; makes it for its owner only if there is none and that is asked for. SQLite gives
  /// its companions the same mode.
  ///
  /// - Returns: The descriptor, to be closed after every SQLite connection of the process to this file.
  /// - Throws: `SQLiteStorageError.cannotOpen`, `.noDatabase`.
  func open(_ access: HeldDatabase.Access) throws -> Int32 {
    let flags: Int32
    switch access {
    case .reading: flags = O_RDONLY
    case .writing(let mayCreate): flags = O_RDWR | (mayCreate ? O_CREAT : 0)
    }
    // A pipe is opened without waiting for its other end, and refused.
    let file = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      throw errno == ENOENT ? SQLiteStorageError.noDatabase(path: path) : Self.failure(path)
    }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      close(file)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw SQLiteStorageError.cannotOpen(
        path: path, reason: isFolder ? "Is a directory" : "It is no regular file")
    }
    guard fstat(file, &status) == 0, flags == O_RDONLY || status.st_nlink <= 1 else {
      // By its other name another process could open the same file under another lock.
      let failure =
        status.st_nlink > 1
        ? SQLiteStorageError.cannotOpen(path: path, reason: "The file has more than one name")
        : Self.failure(path)
      close(file)
      throw failure
    }
    return file
  }

  /// Writes the log's bytes over themselves and waits until they are on disk.
  ///
  /// Linux takes pages for written although their write failed (fsync(2), EIO), so after a failed fsync the log as read
  /// may differ from the one on disk, and no later fsync reports it. Writing makes the pages dirty again. SQLite must
  /// not have the log open, and no process may write it meanwhile.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func rewriteLog() throws {
    guard size("-wal") > 0 else { return }
    let log = path + "-wal"
    let file = Glibc.open(log, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw Self.failure(log) }
    defer { close(file) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(file, buffer.baseAddress, buffer.count, offset)
      guard count >= 0 else { throw Self.failure(log) }
      guard count > 0 else { break }
      var written = 0
      while written < count {
        let more = pwrite(file, buffer.baseAddress.map { $0 + written }, count - written, offset + written)
        guard more > 0 else { throw Self.failure(log) }
        written += more
      }
      offset += count
    }
    guard fsync(file) == 0 else { throw Self.failure(log) }
  }

  /// Makes sure that the names of the database and its log are on disk. SQLite acknowledges a first commit
  /// although its own sync of the folder failed.
  ///
  /// - Throws: `SQLiteStorageError.cannotOpen`.
  func syncFolder() throws {
    let file = Glibc.open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw Self.failure(path) }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func failure(_ path: String) -> SQLiteStorageError {
    .cannotOpen(path: path, reason: String(cString: strerror(errno)))
  }
}
