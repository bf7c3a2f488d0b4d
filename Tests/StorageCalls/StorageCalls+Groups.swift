import Procedures
import TimeclockDomain

extension StoragePart {
  static let groups = StoragePart(StorageCalls.groups) { organization, storage in
    _ = try await storage.createGroup(
      organization.group(organization.names.id(of: .group)), in: organization.key, context: .call,
      recording: nil)
  }
}

extension PreparedOrganization {
  /// A group of the member, of which everybody is something.
  fileprivate func group(_ id: GroupID = next(), stranger: UserID? = nil) -> Group {
    Group(head: head(id)) {
      $0.name = names.text
      $0.managerIDs = [admin.id]
      $0.memberIDs = [member.id] + (stranger.map { [$0] } ?? [])
      $0.representativeIDs = [member.id, admin.id]
    }
  }

  fileprivate func change(of version: Int64? = nil) -> ResourceUpdate<Group> {
    ResourceUpdate(
      id: names.id(of: .group), organization: key, expectedVersion: version, context: .call)
  }
}

extension StorageCalls {
  fileprivate static let groups: [StorageMethod] = [
    StorageMethod(
      "createGroup(_:in:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createGroup(
          organization.group(), in: organization.key, context: .call, recording: recording)
      } + [
        StorageCall("with a stranger") { organization, storage in
          try await storage.createGroup(
            organization.group(stranger: PreparedOrganization.next()), in: organization.key, context: .call,
            recording: nil)
        }
      ]),
    StorageMethod(
      "group(_:in:)", .reads, .organization,
      [StorageCall { try await $1.group($0.names.id(of: .group), in: $0.key) }]),
    StorageMethod(
      "groupKey(of:in:)", .reads, .organization,
      [StorageCall { try await $1.groupKey(of: $0.names.id(of: .group), in: $0.key) != nil }]),
    StorageMethod(
      "groupsOfMembers(in:managedBy:)", .reads, .organization,
      [true, false].map { isOfManager in
        StorageCall(isOfManager ? "of a manager" : "all") { organization, storage in
          try await storage.groupsOfMembers(
            in: organization.key, managedBy: isOfManager ? organization.admin.key.user : nil
          ).values.map { $0 }
        }
      }),
    StorageMethod(
      "has(_:as:_:in:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          try await storage.has(
            organization.member.key.user, as: .member, organization.group(storage), in: organization.key)
        }
      ]),
    StorageMethod(
      "peopleManaged(by:in:)", .reads, .organization,
      [StorageCall { try await $1.peopleManaged(by: $0.admin.key.user, in: $0.key).sorted() }]),
    StorageMethod(
      "groups(of:with:isManager:after:limit:)", .reads, .organization,
      [StorageCall("all") { try await $1.groups(of: $0.key, with: nil, after: nil, limit: 9).elements }]
        + [true, false].map { isManager in
          StorageCall(isManager ? "of a manager" : "of anybody") { organization, storage in
            try await storage.groups(
              of: organization.key, with: organization.admin.key.user, isManager: isManager, after: nil,
              limit: 9
            ).elements
          }
        }),
    StorageMethod(
      "updateGroup(_:people:_:)", .writes, .organization,
      [
        StorageCall("by its name") {
          try await $1.updateGroup($0.change(), people: []) { $0.name = "Changed" }
        },
        StorageCall("to other people") { organization, storage in
          let admin = organization.admin.id
          return try await storage.updateGroup(organization.change(), people: [admin]) {
            ($0.managerIDs, $0.memberIDs) = ([], [admin])
          }
        },
        StorageCall("of another version") {
          try await $1.updateGroup($0.change(of: 9), people: []) { $0.name = "Changed" }
        },
      ]),
    StorageMethod(
      "deleteGroup(_:)", .writes, .organization, [StorageCall { try await $1.deleteGroup($0.change()) }]),
  ]
}
