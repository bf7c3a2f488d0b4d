import Credentials
import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the organization's webhooks.
  static let listWebhooks = Operation("listWebhooks") { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listWebhooks", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.webhooks(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("webhooks", of: list) { $1.write(to: &$0) }
  }

  /// Makes a webhook. The answer is the only showing of its secret.
  static let createWebhook = Operation("createWebhook") { request in
    try request.requireNoQuery()
    let (url, resources, stated) = try request.body { body in
      (
        body.string("url"), body.optionalChoices("resources") as Set<Snapshot.Kind>?,
        body.optionalString("secret")
      )
    }
    let membership = try request.requireMembership()
    let secret = stated.map { WebhookSecret($0) } ?? WebhookSecret()
    return try await request.once(secrecy: .answer) { webhook in
      let location = "/v1/organizations/\(webhook.organizationID)/webhooks/\(webhook.id)"
      return .json(
        status: .created, version: webhook.version, location: location,
        webhook.payload(secret: secret?.text))
    } perform: { recording in
      try await request.timeclock.createWebhook(
        url: url, resources: resources, secret: secret?.bytes ?? [], sentBy: request.context.pings,
        by: membership, recording: recording)
    }
  }

  /// Returns one webhook.
  static let getWebhook = Operation("getWebhook") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.webhook(
      request.pathIdentifier(.webhook), for: request.requireMembership())
    return .json(version: found.version, found.payload())
  }

  /// Changes a webhook, or stops and starts it.
  static let updateWebhook = Operation("updateWebhook") { request in
    try request.requireNoQuery()
    let id: WebhookID = try request.pathIdentifier(.webhook)
    let (changes, version) = try request.optionalBody {
      ($0.webhookChanges(), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.webhook(id, for: membership).version
    }
    let changed = try await request.timeclock.updateWebhook(
      id, changes, expectedVersion: expectedVersion, sentBy: request.context.pings, by: membership)
    return .json(version: changed.version, changed.payload())
  }

  /// Deletes a webhook.
  static let deleteWebhook = Operation("deleteWebhook") { request in
    let version = try request.query { $0.sequence("version") }
    try request.requireNoBody()
    let id: WebhookID = try request.pathIdentifier(.webhook)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.webhook(id, for: membership).version
    }
    try await request.timeclock.deleteWebhook(id, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}

extension ObjectReader {
  /// Null is a value only for the kinds, and means all.
  fileprivate func webhookChanges() -> WebhookChanges {
    let areKindsGiven = has("resources")
    let resources: Set<Snapshot.Kind>? = optionalChoices("resources")
    return WebhookChanges(
      url: optionalString("url"), resources: areKindsGiven ? .some(resources) : nil,
      isEnabled: optionalBool("enabled"))
  }
}

extension Webhook {
  /// Writes the contract's Webhook.
  func write(to writer: inout JSONWriter) {
    writer.object(writeMembers)
  }

  private func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("organizationID", organizationID)
    writer.member("url", url.text)
    writer.member("resources", resources) { writer, kinds in
      writer.array(Snapshot.Kind.allCases.filter(kinds.contains)) { $0.string($1.rawValue) }
    }
    writer.member("enabled", isEnabled)
    writer.member("createdAt", createdAt)
    writer.member("updatedAt", updatedAt)
    writer.member("version", version)
  }

  /// The contract's Webhook, with its secret if that is to be shown.
  fileprivate func payload(secret: String? = nil) -> [UInt8] {
    JSONWriter.object { writer in
      writeMembers(to: &writer)
      if let secret { writer.member("secret", secret) }
    }
  }
}
