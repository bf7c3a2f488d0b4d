import Glibc

/// The size of a file.
enum FileSize {
  /// The bytes of a file; 0 if there is none.
  static func bytes(of path: String) -> Int {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : 0
  }
}
