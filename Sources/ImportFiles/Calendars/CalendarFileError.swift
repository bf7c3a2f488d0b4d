import TimeclockDomain

/// The reason why nothing is taken from a calendar file: the first fault in it.
package struct CalendarFileError: Error, Hashable, Sendable {
  /// The line in which the faulty property or component begins, counted from 1 as the file has them, folded or not; nil if
  /// the fault is the whole file's.
  package let line: Int?
  /// One or two English sentences for the person who made the file.
  package let detail: String

  init(line: Int?, _ detail: String) {
    self.line = line
    self.detail = detail
  }
}
