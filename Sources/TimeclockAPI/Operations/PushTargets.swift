import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the caller's push targets.
  static let listPushTargets = Operation("listPushTargets") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let targets = try await request.timeclock.pushTargets(for: request.requireMembership())
    return .tagged { writer in writer.array("pushTargets", targets) { $1.write(to: &$0) } }
  }

  /// Makes a push target.
  static let createPushTarget = Operation("createPushTarget") { request in
    try request.requireNoQuery()
    let stated = try request.body { $0.pushTarget() }
    let caller = try request.requireMembership()
    let token = try request.requireAuthentication().tokenKey
    return try await request.once { target in
      .json(status: .created, JSONWriter.object(target.writeMembers))
    } perform: { recording in
      try await request.timeclock.createPushTarget(stated, token: token, by: caller, recording: recording)
    }
  }

  /// Deletes a push target.
  static let deletePushTarget = Operation("deletePushTarget") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    guard request.pathParameters.count == 2, let id = PushTargetID(request.pathParameters[1]) else {
      throw TimeclockError.pushTargetNotFound
    }
    try await request.timeclock.deletePushTarget(id, by: request.requireMembership())
    return .noContent
  }
}

extension ObjectReader {
  /// The contract's CreatePushTargetRequest.
  fileprivate func pushTarget() -> PushTargetRequest {
    PushTargetRequest(
      kind: choice("kind") ?? .alert, form: optionalChoice("form"), token: string("token"),
      topic: string("topic"), environment: optionalChoice("environment") ?? .production,
      dates: optionalChoice("dates") ?? .reference, attributesType: optionalString("attributesType"))
  }
}

extension PushTarget {
  /// Writes the contract's PushTarget.
  func write(to writer: inout JSONWriter) {
    writer.object(writeMembers)
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("kind", kind.rawValue)
    writer.member("form", form?.rawValue)
    writer.member("token", token.masked)
    writer.member("topic", topic.text)
    writer.member("environment", environment.rawValue)
    writer.member("dates", dates.rawValue)
    writer.member("attributesType", shownAttributesType)
    writer.member("createdAt", createdAt)
    writer.member("expiresAt", expiresAt)
  }
}
