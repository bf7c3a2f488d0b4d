/// The identity of a request that may come again: its caller, its operation, and the key of the client's choice.
package struct IdempotencyKey: Hashable, Sendable {
  /// SHA-256 over all three; 32 bytes. The client's key itself is never kept.
  package let digest: [UInt8]
  /// The caller; nil for the operator.
  package let user: UserKey?

  package init(digest: [UInt8], user: UserKey?) {
    self.digest = digest
    self.user = user
  }

  /// The time for which the answer to a request is kept for its repetitions: 24 hours, in milliseconds.
  package static let lifetime: Int64 = 24 * 3_600_000
}
