/// A salted password hash with its algorithm and parameters, as one line of text.
package struct PasswordHash: Hashable, Sendable {
  package let text: String
  /// Whether the password opens nothing but its own change: somebody else has chosen it.
  package var isOneTime: Bool

  package init(text: String, isOneTime: Bool = false) {
    self.text = text
    self.isOneTime = isOneTime
  }
}

extension TimeclockError {
  /// A log-in with a one-time password was used for something else than its change.
  package static let passwordChangeRequired = TimeclockError.plain(
    PlainRefusal(
      "password_change_required", against: .permission,
      "You have logged in with a one-time password. Please choose your own first (PUT /v1/me/password)."))
}
