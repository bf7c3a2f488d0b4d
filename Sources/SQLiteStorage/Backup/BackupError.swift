/// The reasons why a database was not backed up or restored. Each description is one line for the user of the command.
package enum BackupError: Error, Hashable, CustomStringConvertible {
  /// There is a file already, and it was not asked to be replaced.
  case exists(path: String)
  /// Source and target are the same file.
  case sameFile
  /// A file cannot be written or given its name.
  case cannotWrite(path: String, reason: String)
  /// The database is not whole; the lines say why.
  case faults([String])

  package var description: String {
    switch self {
    case .exists(let path):
      "There is a file \(path) already: choose another name, or say --replace."
    case .sameFile:
      "Source and target are the same file."
    case .cannotWrite(let path, let reason):
      "\(path) cannot be written: \(reason)."
    case .faults(let faults):
      """
      The database is not whole, and nothing was kept of the copy: \(faults.prefix(3).joined(separator: "; "))\
      \(faults.count > 3 ? "; and \(faults.count - 3) more" : ""). (timeclock verify has all.)
      """
    }
  }
}
