import TimeclockDomain

extension StoragePart {
  static let breakTypes = StoragePart(StorageCalls.breakTypes) { organization, storage in
    _ = try await storage.createBreakType(
      organization.breakType(organization.names.breakType), in: organization.key, context: .call,
      recording: nil)
  }
}

extension PreparedOrganization.Names {
  fileprivate var breakType: BreakTypeID { id(of: .breakType) }
}

extension PreparedOrganization {
  fileprivate func breakType(_ id: BreakTypeID = next()) -> BreakType {
    BreakType(head: head(id)) {
      $0.name = names.text
      $0.isPaid = true
      $0.expectedSeconds = 900
    }
  }
}

extension StorageCalls {
  fileprivate static let breakTypes: [StorageMethod] = [
    StorageMethod(
      "createBreakType(_:in:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createBreakType(
          organization.breakType(), in: organization.key, context: .call, recording: recording)
      }),
    StorageMethod(
      "breakType(_:in:)", .reads, .organization,
      [StorageCall { try await $1.breakType($0.names.breakType, in: $0.key) }]),
    StorageMethod(
      "breakTypes(_:)", .reads, .organization,
      [(nil, "all"), (true, "archived ones"), (false, "others")].map { isArchived, name in
        StorageCall("of \(name)") { organization, storage in
          try await storage.breakTypes(
            BreakTypeQuery(organization: organization.key, isArchived: isArchived, limit: 9))
        }
      }),
    StorageMethod(
      "updateBreakType(_:_:)", .writes, .organization,
      [
        update("by its name") { $0.name = "Changed" },
        update("of another version", version: 9) { _ in },
      ]),
  ]

  private static func update(
    _ name: String, version: Int64? = nil, _ change: @escaping @Sendable (inout BreakType) -> Void
  ) -> StorageCall {
    StorageCall(name) { organization, storage in
      try await storage.updateBreakType(
        BreakTypeUpdate(
          id: organization.names.breakType, organization: organization.key, expectedVersion: version,
          context: .call), change)
    }
  }
}
