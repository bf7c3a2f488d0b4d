import TimeclockDomain

/// The methods of a storage that are about one kind of record, and the records of it in every prepared organization.
struct StoragePart: Sendable {
  let methods: [StorageMethod]
  /// Makes one in an organization, under the id of its kind.
  let prepare: StorageCall.Preparation

  init(
    _ methods: [StorageMethod], prepare: @escaping StorageCall.Preparation = { _, _ in }
  ) {
    self.methods = methods
    self.prepare = prepare
  }
}

extension StoragePart {
  static let apiTokens = StoragePart(StorageCalls.apiTokens) { organization, storage in
    try await storage.createApiToken(
      organization.apiToken(organization.names.apiToken, of: organization.member),
      digest: organization.apiTokenDigest, in: organization.key, context: .call)
  }

  static let timeEntries = StoragePart(
    StorageCalls.newTimeEntries + StorageCalls.changedTimeEntries + StorageCalls.foundTimeEntries
      + StorageCalls.forgottenEntries
  ) { organization, storage in
    let names = organization.names
    _ = try await storage.createTimeEntry(
      organization.new(
        organization.entry(names.entry, of: organization.member, hours: -2, session: names.session)))
    _ = try await storage.createTimeEntry(
      organization.new(organization.entry(of: organization.member, hours: 0, isActive: true)))
  }
}
