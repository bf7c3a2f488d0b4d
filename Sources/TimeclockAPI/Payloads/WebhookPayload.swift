import TimeclockDomain

extension WebhookAttempt {
  /// Writes the members of the contract's WebhookDelivery.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("sequence", sequence)
    writer.member("time", time)
    writer.member("status", status)
    writer.member("error", error)
    writer.member("durationMilliseconds", milliseconds)
  }
}

extension Change {
  /// A webhook's message about the change: an element of `listChanges`, the organization, and the log's epoch.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  package func webhookMessage(of organization: OrganizationID, in epoch: LogEpoch, at now: Instant) -> [UInt8]
  {
    JSONWriter.object { writer in
      writeMembersForFeed(to: &writer, at: now)
      writer.member("organizationID", organization)
      writer.member("epoch", epoch.text)
    }
  }
}
