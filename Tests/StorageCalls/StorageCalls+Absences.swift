import Procedures
import TimeclockDomain

extension StoragePart {
  /// An absence of the member.
  static let absences = StoragePart(StorageCalls.absences) { organization, storage in
    _ = try await storage.createRecord(
      organization.absence(organization.names.id(of: .absence)), in: organization.key,
      zones: TimeZoneDatabase(), context: .call, recording: nil)
  }
}

extension PreparedOrganization {
  /// A vacation of the member, apart from those of other numbers.
  fileprivate func absence(_ id: AbsenceID = next(), apart number: Int = 0) -> Absence {
    var absence = Absence(head: head(id))
    absence.userID = member.id
    absence.counted = .vacation
    absence.startDate = Self.today.adding(days: number * 7)
    absence.endDate = absence.startDate.adding(days: 1)
    absence.note = names.text
    return absence
  }

  fileprivate func change(of version: Int64? = nil) -> ResourceUpdate<Absence> {
    ResourceUpdate(
      id: names.id(of: .absence), organization: key, expectedVersion: version, context: .call)
  }
}

extension StorageCalls {
  /// Has an organization refuse more days than members are entitled to.
  private static let strictly: StorageCall.Preparation = { organization, storage in
    _ = try await storage.updateOrganization(organization.key, expectedVersion: nil, context: .call) {
      $0.policy.isNegativeEntitlementAllowed = false
    }
  }

  static let newAbsences: [StorageCall] =
    onceAndRecorded("of Absence") { organization, storage, recording in
      try await storage.createRecord(
        organization.absence(apart: 1), in: organization.key, zones: TimeZoneDatabase(), context: .call,
        recording: recording)
    } + [
      StorageCall("of Absence, on dates that are taken") { organization, storage in
        try await storage.createRecord(
          organization.absence(), in: organization.key, zones: TimeZoneDatabase(), context: .call,
          recording: nil)
      },
      StorageCall("of Absence, as far as the member is entitled", after: strictly) { organization, storage in
        try await storage.createRecord(
          organization.absence(apart: 2), in: organization.key, zones: TimeZoneDatabase(), context: .call,
          recording: nil)
      },
    ]

  static let manyNewAbsences: [StorageCall] = onceAndRecorded("of Absence") {
    organization, storage, recording in
    try await storage.createRecords(
      [.success(organization.absence(apart: 1)), .success(organization.absence())], mode: .partial,
      in: organization.key, zones: TimeZoneDatabase(), context: .call, recording: recording)
  }

  static let changedAbsences: [StorageCall] = [(nil, ""), (9, ", of another version")].map { version, name in
    StorageCall("of Absence\(name)") { organization, storage in
      try await storage.updateRecord(organization.change(of: version), zones: TimeZoneDatabase()) {
        (absence: inout Absence) in
        absence.endDate = absence.endDate.adding(days: 1)
      }
    }
  }

  fileprivate static let absences: [StorageMethod] = [
    StorageMethod(
      "absences(of:in:)", .reads, .organization,
      ofMembers { members, organization, storage in
        // Rows have other numbers in every database.
        try await storage.absences(of: members, in: organization.key).values.map { rows in
          rows.map { "\($0.first) \($0.kind)" }
        }
      }),
    StorageMethod(
      "absences(_:in:after:limit:)", .reads, .organization,
      ofMembers { members, organization, storage in
        try await storage.absences(
          AbsenceFilter(members: members), in: organization.key, after: nil, limit: 9
        ).elements
      } + [
        StorageCall("of a state and dates") { organization, storage in
          try await storage.absences(
            AbsenceFilter(
              state: .approved, dates: PreparedOrganization.today...PreparedOrganization.today),
            in: organization.key, after: nil, limit: 9
          ).elements
        }
      ]),
  ]
}
