import TimeclockDomain

/// A client's request to make a push target.
package struct PushTargetRequest: Sendable {
  package var kind: PushTarget.Kind
  /// Of Live Activities, which need one.
  package var form: LiveActivityForm?
  package var token: String
  package var topic: String
  package var environment: PushTarget.Environment
  package var dates: LiveActivityDates
  package var attributesType: String?

  package init(
    kind: PushTarget.Kind, form: LiveActivityForm?, token: String, topic: String,
    environment: PushTarget.Environment, dates: LiveActivityDates, attributesType: String?
  ) {
    self.kind = kind
    self.form = form
    self.token = token
    self.topic = topic
    self.environment = environment
    self.dates = dates
    self.attributesType = attributesType
  }
}

// Push targets are the caller's alone: no function names another member.
extension Timeclock {
  /// Registers a push target of the caller, which ends with the token of the request. A phone's token has one target in an
  /// organization: registering it again, also by another member, replaces the first one.
  ///
  /// - Parameter token: The row of the request's token.
  /// - Throws: `.invalidPushForm`, `.invalidPushToken`, `.invalidTopic`, `.invalidAttributesType`, `.tooManyPushTargets`;
  ///   `.invalidToken` if the request's token was deleted meanwhile.
  package func createPushTarget(
    _ request: PushTargetRequest, token: Int64, by caller: Membership,
    recording: AnswerRecording<PushTarget>? = nil
  ) async throws -> PushTarget {
    let now = clock.now
    let isAlert = request.kind == .alert
    guard (request.form == nil) == isAlert, !isAlert || request.attributesType == nil else {
      throw TimeclockError.invalidPushForm
    }
    let target = PushTarget(
      id: identifiers.next(at: now), kind: request.kind, form: request.form,
      token: try PushToken(request.token), topic: try PushTopic(request.topic),
      environment: request.environment, dates: request.dates,
      attributesType: try request.attributesType.map(PushTarget.attributesType), createdAt: now,
      expiresAt: request.kind == .liveActivity ? now.adding(milliseconds: PushTarget.longestActivity) : nil)
    return try await storage.createPushTarget(target, of: caller.key, token: token, recording: recording)
  }

  /// The caller's push targets, in the order in which they were made.
  package func pushTargets(for caller: Membership) async throws -> [PushTarget] {
    try await storage.pushTargets(of: caller.key, at: clock.now)
  }

  /// Deletes a push target of the caller's. Nothing more is sent to it.
  ///
  /// - Throws: `.pushTargetNotFound`.
  package func deletePushTarget(_ id: PushTargetID, by caller: Membership) async throws {
    try await storage.deletePushTarget(id, of: caller.key)
  }

  /// Removes push targets of all organizations whose time is over. A canceled task ends between two batches.
  package func deleteExpiredPushTargets(at time: SettledInstant) async throws {
    let now = time.instant
    while !Task.isCancelled {
      let count = try await storage.deleteExpiredPushTargets(at: now, limit: Self.expiredTargetBatch)
      if count < Self.expiredTargetBatch { return }
    }
  }

  private static var expiredTargetBatch: Int { 500 }
}

extension PushTarget {
  /// A name of a structure in Swift.
  ///
  /// - Throws: `TimeclockError.invalidAttributesType`.
  fileprivate static func attributesType(_ text: String) throws -> String {
    let isName =
      (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
      }
    guard isName else { throw TimeclockError.invalidAttributesType }
    return text
  }
}
