import Procedures
import TimeclockDomain

extension StoragePart {
  /// Behind the groups whose members' time is read.
  static let recordReads = StoragePart(StorageCalls.recordReads) { organization, storage in
    try await organization.keepRead(in: storage)
  }
}

extension PreparedOrganization {
  /// Keeps a read by the admin of the group's members, with a value in every field but those of a single member.
  fileprivate func keepRead(
    of people: [Person] = [], ofNoGroup: Bool = false, in storage: any Storage
  ) async throws {
    let representation = Representation(
      group: ofNoGroup ? GroupKey(0) : try await group(storage), groupID: names.id(of: .group),
      operation: .reportHours, people: people.map { ($0.id, $0.key.user) })
    try await storage.keepRead(
      RecordRead(
        id: Self.next(), time: Self.start, readerID: admin.id, groupID: names.id(of: .group), groupName: "",
        operation: .reportHours, userID: representation.userID, startDate: Self.today, endDate: Self.today),
      as: representation, in: key)
  }
}

extension StorageCalls {
  fileprivate static let recordReads: [StorageMethod] = [
    StorageMethod(
      "keepRead(_:as:in:)", .writes, .organization,
      [
        StorageCall("of a group") { try await $0.keepRead(in: $1) },
        StorageCall("of a member") { try await $0.keepRead(of: [$0.member], in: $1) },
        StorageCall("of somebody who is no member") { try await $0.keepRead(of: [$0.admin], in: $1) },
        StorageCall("of no group") { try await $0.keepRead(ofNoGroup: true, in: $1) },
      ]),
    StorageMethod(
      "recordReads(_:)", .reads, .organization,
      (0..<8).map { conditions in
        let (hasReader, hasGroup, hasPerson) = (
          conditions & 1 != 0, conditions & 2 != 0, conditions & 4 != 0
        )
        return StorageCall(
          "by \(hasReader ? "somebody" : "anybody") of \(hasGroup ? "a" : "any") group, of \(hasPerson ? "a member" : "all")"
        ) { organization, storage in
          try await storage.recordReads(
            RecordReadQuery(
              organization: organization.key, readerID: hasReader ? organization.admin.id : nil,
              groupID: hasGroup ? organization.names.id(of: .group) : nil,
              person: hasPerson ? organization.member.key.user : nil, limit: 9)
          ).elements
        }
      }),
  ]
}
