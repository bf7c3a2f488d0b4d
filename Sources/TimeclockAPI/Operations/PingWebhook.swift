import TimeclockDomain

extension Operation {
  /// Sends a webhook a message about no change, and returns the outcome.
  static let pingWebhook = Operation("pingWebhook") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let membership = try request.requireMembership()
    let place = try request.context.pingPlaces.take(for: membership.key)
    defer { withExtendedLifetime(place) {} }
    let attempt = try await request.timeclock.pingWebhook(
      request.pathIdentifier(.webhook), via: request.context.pings, by: membership
    ) { webhook, now in
      JSONWriter.object { writer in
        writer.member("operation", "pingWebhook")
        writer.member("time", now)
        writer.member("organizationID", webhook.organizationID)
        writer.member("webhookId", webhook.id)
      }
    }
    return .json(JSONWriter.object(attempt.writeMembers))
  }
}
