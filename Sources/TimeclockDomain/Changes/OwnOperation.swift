/// Names in the log of changes that are no operation of the contract: of the service itself, or of a command of its
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
