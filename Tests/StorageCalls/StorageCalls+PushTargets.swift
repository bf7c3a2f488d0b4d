import TimeclockDomain

extension StoragePart {
  /// Two places on the member's phone, one of them a Live Activity.
  static let pushTargets = StoragePart(StorageCalls.pushTargets) { organization, storage in
    for target in [organization.pushTarget, organization.alertTarget] {
      _ = try await storage.createPushTarget(
        target, of: organization.member.key, token: organization.logInKey, recording: nil)
    }
  }
}

extension PreparedOrganization {
  /// The id of the target that is prepared.
  private var pushTargetID: PushTargetID {
    let id: TimeEntryID = names.id(of: .timeEntry)
    return PushTargetID(high: id.high, low: id.low &+ 7)
  }

  /// A Live Activity that ends an hour after `start`.
  fileprivate var pushTarget: PushTarget {
    target(
      pushTargetID, .liveActivity, .rest, bytes: 1, expiresAt: Self.start.adding(milliseconds: 3_600_000))
  }

  fileprivate var alertTarget: PushTarget {
    target(
      PushTargetID(high: pushTargetID.high, low: pushTargetID.low &+ 1), .alert, nil, bytes: 2, expiresAt: nil
    )
  }

  /// A target that is not there yet.
  fileprivate var newPushTarget: PushTarget {
    target(Self.next(), .pushToStart, .focus, bytes: 3, expiresAt: nil)
  }

  /// - Parameter byte: The first byte of its token; the others are as the organization is called.
  private func target(
    _ id: PushTargetID, _ kind: PushTarget.Kind, _ form: LiveActivityForm?, bytes byte: UInt8,
    expiresAt: Instant?
  ) -> PushTarget {
    PushTarget(
      id: id, kind: kind, form: form, token: PushToken(stored: [byte] + Array("\(names.text)........".utf8)),
      topic: PushTopic(stored: "com.example.app"), environment: .production, dates: .reference,
      attributesType: nil, createdAt: Self.start, expiresAt: expiresAt)
  }

  /// The Live Activity as it is read, before anything was sent.
  fileprivate var pushDelivery: PushDelivery {
    PushDelivery(member: member.key, target: pushTarget, progress: PushProgress(dueAt: Self.start))
  }
}

extension StorageCalls {
  fileprivate static let pushTargets: [StorageMethod] = [
    StorageMethod(
      "createPushTarget(_:of:token:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createPushTarget(
          organization.newPushTarget, of: organization.member.key, token: organization.logInKey,
          recording: recording)
      }),
    StorageMethod(
      "pushTargets(of:at:)", .reads, .organization,
      [StorageCall { try await $1.pushTargets(of: $0.member.key, at: PreparedOrganization.start) }]),
    StorageMethod(
      "deletePushTarget(_:of:)", .writes, .organization,
      [StorageCall { try await $1.deletePushTarget($0.pushTarget.id, of: $0.member.key) }]),
    StorageMethod(
      "membersWithPushTargets(at:onlyDue:after:limit:)", .reads, .service,
      [false, true].map { isDue in
        StorageCall(isDue ? "that are due" : "all of them") { _, storage in
          try await storage.membersWithPushTargets(
            at: PreparedOrganization.start, onlyDue: isDue, after: nil, limit: 9
          ).count
        }
      }),
    StorageMethod(
      "pushDeliveries(of:at:)", .reads, .organization,
      [StorageCall { try await $1.pushDeliveries(of: $0.member.key, at: PreparedOrganization.start) }]),
    StorageMethod(
      "movePushTarget(_:to:)", .writes, .organization,
      [
        StorageCall { organization, storage in
          try await storage.movePushTarget(
            organization.pushDelivery,
            to: PushProgress(activity: "a", stateTag: "b", tag: "c", sentAt: PreparedOrganization.start))
        }
      ]),
    StorageMethod(
      "endPushTarget(_:)", .writes, .organization,
      [StorageCall { try await $1.endPushTarget($0.pushDelivery) }]),
    StorageMethod(
      "deleteExpiredPushTargets(at:limit:)", .writes, .service,
      [StorageCall { try await $1.deleteExpiredPushTargets(at: .earliest, limit: 9) }]),
  ]
}
