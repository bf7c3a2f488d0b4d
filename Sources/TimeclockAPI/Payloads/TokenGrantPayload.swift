import TimeclockDomain

/// A log-in, right after it was made.
struct TokenGrant {
  let token: String
  let expiresAt: Instant
  let mustChangePassword: Bool
  let user: User

  /// The contract's TokenGrant.
  var payload: [UInt8] {
    JSONWriter.object { writer in
      writer.member("token", token)
      writer.member("expiresAt", expiresAt)
      writer.member("mustChangePassword", mustChangePassword)
      writer.name("user")
      user.write(to: &writer)
    }
  }
}
