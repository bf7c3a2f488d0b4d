/// The record that a write leaves in the organization's log of changes, besides the change itself.
package struct ChangeContext: Hashable, Sendable {
  package var author: Author
  /// The action, as the contract names the operation; the service's own actions have names like it.
  package var operation: String
  /// The time of the change; becomes `updatedAt` of the changed resource.
  package var time: Instant
  package var reason: Reason?
  /// The weakest mark on a member's time that binds the change; nil if none does, for it makes a correction that an admin has
  /// a part in. Of no consequence for a change that was written down.
  package var boundBy: PeriodMark.Kind?

  package init(
    author: Author, operation: String, time: Instant, reason: Reason? = nil,
    boundBy: PeriodMark.Kind? = .locked
  ) {
    self.author = author
    self.operation = operation
    self.time = time
    self.reason = reason
    self.boundBy = boundBy
  }
}
