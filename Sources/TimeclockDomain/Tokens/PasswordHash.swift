/// A salted password hash with its algorithm and parameters, as one line of text.
package struct PasswordHash: Hashable, Sendable {
  package let text: String

  package init(text: String) {
    self.text = text
  }
}
