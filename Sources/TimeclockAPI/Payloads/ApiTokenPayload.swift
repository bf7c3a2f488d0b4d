import TimeclockDomain

extension ApiToken {
  /// Writes the contract's ApiToken.
  ///
  /// - Parameter secret: The token itself, right after it was made; nil at any later time.
  func write(to writer: inout JSONWriter, secret: String? = nil) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("userId", userID)
      writer.member("scope", scope.rawValue)
      writer.member("createdAt", createdAt)
      writer.member("expiresAt", expiresAt)
      writer.member("lastUsedAt", lastUsedAt)
      if let secret { writer.member("token", secret) }
    }
  }
}
