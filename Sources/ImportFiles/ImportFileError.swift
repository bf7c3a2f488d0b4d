/// Why a file as a whole cannot be imported.
package enum ImportFileError: Error, Hashable, Sendable {
  /// It is not of the format.
  case malformed(String)
  /// Nobody can tell which number of its dates is the day and which the month.
  case dateOrderUnknown(String)

  /// One English sentence or two for whoever made the file.
  package var detail: String {
    switch self {
    case .malformed(let detail), .dateOrderUnknown(let detail): detail
    }
  }
}
