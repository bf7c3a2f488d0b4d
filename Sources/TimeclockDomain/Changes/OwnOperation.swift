/// What the log of changes names that is no operation of the contract: done by the service itself, or by a command of its
/// operator.
package enum OwnOperation: String, CaseIterable, Sendable {
  case autoClockOut
  case remind
  case disableWebhook
  case deactivateOrganization
  case reactivateOrganization
  case deleteOrganization
}

extension ChangeContext {
  package init(author: Author, operation: OwnOperation, time: Instant) {
    self.init(author: author, operation: operation.rawValue, time: time)
  }
}
