/// The record that a write leaves in the organization's log of changes, besides the change itself.
package struct ChangeContext: Hashable, Sendable {
  package var author: Author
  /// The action, as the contract names the operation; the service's own actions have names like it.
  package var operation: String
  /// The time of the change; becomes `updatedAt` of the changed resource.
  package var time: Instant
  package var reason: Reason?

  package init(author: Author, operation: String, time: Instant, reason: Reason? = nil) {
    self.author = author
    self.operation = operation
    self.time = time
    self.reason = reason
  }
}
