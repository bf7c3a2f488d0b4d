/// The text of a statement that a connection keeps prepared; found again by the object, not by its text, so
/// that a hot statement costs no hashing of a long string. Meant for `static let`.
final class SQLiteText: Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
