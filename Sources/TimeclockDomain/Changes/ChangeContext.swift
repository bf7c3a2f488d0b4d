/// What a write leaves behind in the organization's log of changes, beside the change itself.
package struct ChangeContext: Hashable, Sendable {
  package var author: Author
  /// What was done, as the contract names the operation; the service's own doings have names like it.
  package var operation: String
  /// When; becomes `updatedAt` of what is changed.
  package var time: Instant
  package var reason: Reason?

  package init(author: Author, operation: String, time: Instant, reason: Reason? = nil) {
    self.author = author
    self.operation = operation
    self.time = time
    self.reason = reason
  }
}
