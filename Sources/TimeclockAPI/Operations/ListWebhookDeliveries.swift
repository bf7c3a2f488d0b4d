import TimeclockDomain

extension Operation {
  /// Lists the attempts to send something to a webhook.
  static let listWebhookDeliveries = Operation("listWebhookDeliveries") { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listWebhookDeliveries", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.webhookAttempts(
      of: request.pathIdentifier(.webhook), before: cursor, limit: limit, for: request.requireMembership())
    return page.response("deliveries", of: list) { writer, attempt in
      writer.object(attempt.writeMembers)
    }
  }
}
