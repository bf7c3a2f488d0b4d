/// The reason why a file as a whole cannot be imported.
package enum ImportFileError: Error, Hashable, Sendable {
  /// The file is not in the format.
  case malformed(String)
  /// The order of day and month in the file's dates cannot be determined.
  case dateOrderUnknown(String)

  /// One or two English sentences for the person who made the file.
  package var detail: String {
    switch self {
    case .malformed(let detail), .dateOrderUnknown(let detail): detail
    }
  }
}
