import TimeclockDomain

/// The reason why a file as a whole cannot be imported.
package enum ImportFileError: Error, Hashable, Sendable {
  /// The file is not in the format.
  case malformed(String)
  /// The order of day and month in the file's dates cannot be determined: each is possible, or none is.
  case dateOrderUnknown(isContradictory: Bool)

  /// One or two English sentences for the person who made the file.
  package func detail(_ names: ImportSettingNames) -> String {
    switch self {
    case .malformed(let detail): detail
    case .dateOrderUnknown(isContradictory: true):
      """
      Some dates of the file can only be read with the day first, and others only with the month first. Export it again \
      with dates such as 2026-11-20, or say which is meant: \(names.dateOrder) dmy or mdy.
      """
    case .dateOrderUnknown(isContradictory: false):
      """
      Every date of the file could be read with the day first and with the month first. Say which it is: \
      \(names.dateOrder) dmy or mdy.
      """
    }
  }
}
