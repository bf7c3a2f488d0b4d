import Procedures
import TimeclockDomain

extension StoragePart {
  /// Corrections of the member's entry: one is open, and the member objects to the other.
  static let corrections = StoragePart(StorageCalls.corrections) { organization, storage in
    var correction = organization.correction(organization.names.id(of: .correction))
    correction.timeEntryID = organization.names.entry
    correction.clockOutTime = organization.entry(of: organization.member, hours: -2).clockOutTime
    _ = try await storage.createRecord(
      correction, in: organization.key, zones: TimeZoneDatabase(), context: .call, recording: nil)
    (correction.head.id, correction.state) = (PreparedOrganization.next(), .objected)
    _ = try await storage.createRecord(
      correction, in: organization.key, zones: TimeZoneDatabase(), context: .call, recording: nil)
  }
}

extension PreparedOrganization {
  /// A correction of the member's time by the admin.
  fileprivate func correction(_ id: CorrectionID = next()) -> Correction {
    var correction = Correction(head: head(id))
    (correction.userID, correction.by, correction.reason) = (member.id, admin.id, names.text)
    return correction
  }

  /// The change of an entry of the member, bound by no mark.
  fileprivate func update() -> TimeEntryUpdate {
    TimeEntryUpdate(
      id: names.entry, organization: key, expectedVersion: nil, needsSessionAssignment: false,
      context: Self.correcting)
  }

  fileprivate func adding(hours: Int64) -> NewTimeEntry {
    var new = new(entry(of: member, hours: hours))
    new.context = Self.correcting
    return new
  }

  private static var correcting: ChangeContext {
    var context = ChangeContext.call
    context.boundBy = nil
    return context
  }
}

extension StorageCalls {
  static let newCorrections: [StorageCall] =
    onceAndRecorded("of Correction") { organization, storage, recording in
      try await storage.createRecord(
        organization.correction(), in: organization.key, zones: TimeZoneDatabase(), context: .call,
        recording: recording)
    }

  static let changedCorrections: [StorageCall] = [
    StorageCall("of Correction") { organization, storage in
      try await storage.updateRecord(
        ResourceUpdate<Correction>(
          id: organization.names.id(of: .correction), organization: organization.key, expectedVersion: nil,
          context: .call), zones: TimeZoneDatabase()
      ) { try $0.withdraw(by: organization.admin.id, at: PreparedOrganization.start) }
    }
  ]

  fileprivate static let corrections: [StorageMethod] = [
    StorageMethod(
      "applyCorrection(_:_:in:context:recording:)", .writes, .organization,
      onceAndRecorded("that adds an entry") { organization, storage, recording in
        try await storage.applyCorrection(
          organization.correction(), .add(organization.adding(hours: -9)), in: organization.key,
          context: .call, recording: recording
        ).state
      } + [
        StorageCall("that changes an entry") { organization, storage in
          try await storage.applyCorrection(
            organization.correction(), .change(organization.update()) { $0.notes = nil },
            in: organization.key, context: .call, recording: nil)
        }
      ]),
    StorageMethod(
      "changeTime(_:noticedBy:in:recording:)", .writes, .organization,
      onceAndRecorded("of an entry that is deleted") { organization, storage, recording in
        try await storage.changeTime(
          .delete(organization.update()), noticedBy: organization.correction(), in: organization.key,
          recording: recording
        ).id
      }),
    StorageMethod(
      "createTimeEntries(_:keeping:in:recording:)", .writes, .organization,
      onceAndRecorded("of which one is refused") { organization, storage, recording in
        try await storage.createTimeEntries(
          [-9, -9].map { (entry: organization.adding(hours: $0), notice: organization.correction()) },
          keeping: .accepted, in: organization.key, recording: recording
        ).count
      }),
    StorageMethod(
      "decideCorrection(_:making:recording:_:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.decideCorrection(
          ResourceUpdate(
            id: organization.names.id(of: .correction), organization: organization.key,
            expectedVersion: nil, context: .call),
          making: .change(organization.update()) { $0.notes = nil }, recording: recording
        ) {
          try $0.decide(.agree, answer: nil, by: organization.admin.id, at: PreparedOrganization.start)
        }
      }),
    StorageMethod(
      "openCorrections(of:)", .reads, .organization,
      [StorageCall { try await $1.openCorrections(of: $0.member.key) }]),
    StorageMethod(
      "objectedEntries(of:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.objectedEntries(of: members, in: organization.key).sorted()
      }),
    StorageMethod(
      "corrections(_:in:after:limit:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.corrections(
          CorrectionFilter(members: members, state: .open), in: organization.key, after: nil, limit: 9
        ).elements
      }),
  ]
}
