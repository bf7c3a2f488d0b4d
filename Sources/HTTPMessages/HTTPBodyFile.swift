/// The content of a long request in a file, which takes no memory of the process.
package protocol HTTPBodyFile: AnyObject, Sendable {
  /// The number of bytes.
  var byteCount: Int { get }

  /// Reads from an offset on, and waits for the disk if it has to.
  ///
  /// - Returns: `byteCount` bytes, or fewer; none only at the end.
  /// - Throws: The system's error.
  func read(from offset: Int, byteCount: Int) throws -> [UInt8]
}
