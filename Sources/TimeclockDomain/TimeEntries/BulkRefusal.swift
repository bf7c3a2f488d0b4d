/// The refusal of one of several entries.
package struct BulkRefusal: Hashable, Sendable {
  /// The entry's place among those of the request, from 0 on.
  package var index: Int
  package var error: TimeclockError
  /// The line of the file that states it, from 1 on; nil if no file does.
  package var line: Int?

  package init(index: Int, error: TimeclockError, line: Int? = nil) {
    self.index = index
    self.error = error
    self.line = line
  }
}
