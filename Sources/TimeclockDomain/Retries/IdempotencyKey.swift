/// What a request is known by when it comes again: who asks, for what, under which key of the client's choice.
package struct IdempotencyKey: Hashable, Sendable {
  /// SHA-256 over all three; 32 bytes. The client's key itself is never kept.
  package let digest: [UInt8]
  /// Who asks; nil for the operator.
  package let user: UserKey?

  package init(digest: [UInt8], user: UserKey?) {
    self.digest = digest
    self.user = user
  }

  /// How long the answer to a request is kept for its repetitions: 24 hours, in milliseconds.
  package static let lifetime: Int64 = 24 * 3_600_000
}
