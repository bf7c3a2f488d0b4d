import Procedures
import TimeclockDomain

extension StoragePart {
  static let organizationLife = StoragePart(StorageCalls.organizationLife)
}

extension StorageCalls {
  fileprivate static let organizationLife: [StorageMethod] = [
    StorageMethod(
      "closeActiveEntries(of:limit:context:)", .writes, .organization,
      [
        StorageCall { organization, storage in
          try await storage.closeActiveEntries(
            of: organization.key, limit: 9,
            context: ChangeContext(author: Author(means: .operator), operation: "call", time: hour(1)))
        }
      ]),
    StorageMethod(
      "deleteRecords(of:limit:)", .writes, .organization,
      [
        StorageCall("of an active one") { try await $1.deleteRecords(of: $0.key, limit: 9) },
        StorageCall("of one that is deleted", after: beginDeletion) {
          try await $1.deleteRecords(of: $0.key, limit: 9)
        },
        StorageCall(
          "and nothing is left", after: { try await deleteRecords(of: $0, in: $1) }
        ) { try await $1.deleteRecords(of: $0.key, limit: 9) },
      ]),
    StorageMethod(
      "endMemberships(of:limit:context:)", .writes, .organization,
      [
        StorageCall("of an active one") {
          try await $1.endMemberships(of: $0.key, limit: 9, context: .call)
        },
        StorageCall("of one without records", after: { try await deleteRecords(of: $0, in: $1) }) {
          try await $1.endMemberships(of: $0.key, limit: 9, context: .call)
        },
      ]),
    StorageMethod(
      "logDeletion(of:context:)", .writes, .organization,
      [StorageCall(after: beginDeletion) { try await $1.logDeletion(of: $0.key, context: .call) }]),
    StorageMethod(
      "eraseChanges(of:after:limit:)", .writes, .organization,
      [1, 1_000].map { limit in
        StorageCall("\(limit) of them", after: beginDeletion) {
          try await $1.eraseChanges(of: $0.key, after: 0, limit: limit)
        }
      }),
  ]

  private static let beginDeletion: StorageCall.Preparation = { organization, storage in
    _ = try await storage.updateOrganization(organization.key, expectedVersion: nil, context: .call) {
      $0.state = .deleting
    }
    // Reading gives each change that is committed its place in the chain.
    _ = try await storage.storedChanges(of: organization.key, after: 0, limit: 1)
  }

  private static func deleteRecords(
    of organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    try await beginDeletion(organization, storage)
    while try await storage.deleteRecords(of: organization.key, limit: 9) > 0 {}
  }
}
