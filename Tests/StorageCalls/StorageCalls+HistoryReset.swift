import Procedures
import TimeclockDomain

extension StoragePart {
  /// Takes records that the other parts have prepared.
  static let historyReset = StoragePart(StorageCalls.historyReset)
}

extension StorageCalls {
  fileprivate static let historyReset: [StorageMethod] = [
    StorageMethod(
      "deleteWork(_:)", .writes, .organization,
      [
        deleteWork(""),
        deleteWork("before an instant") { $0.before = hour(0) },
        deleteWork("behind a place") { $0.after = hour(-1) },
        deleteWork("of which one goes") { $0.limit = 1 },
      ]),
    StorageMethod(
      "deleteOwnProjects(of:from:limit:context:)", .writes, .organization,
      [
        StorageCall {
          try await $1.deleteOwnProjects(of: $0.member.key, limit: 9, context: .call)
        },
        StorageCall("on which work is done", after: workOnOwnProject) {
          try await $1.deleteOwnProjects(of: $0.member.key, limit: 9, context: .call)
        },
        StorageCall("of which one goes") {
          try await $1.deleteOwnProjects(of: $0.member.key, limit: 1, context: .call)
        },
      ]),
  ]

  private static func deleteWork(
    _ name: String, _ change: @escaping @Sendable (inout WorkDeletion) -> Void = { _ in }
  ) -> StorageCall {
    StorageCall(name) { organization, storage in
      var context = ChangeContext.call
      context.reason = Reason(stored: "Asked to")
      var deletion = WorkDeletion(
        member: organization.member.key, before: nil, limit: 9, context: context)
      change(&deletion)
      return try await storage.deleteWork(deletion)
    }
  }

  @Sendable private static func workOnOwnProject(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    var start = organization.start(on: SegmentPurpose(projectID: organization.names.project))
    start.segment.startTime = start.segment.startTime.adding(milliseconds: 60_000)
    _ = try await storage.startSegment(start, recording: nil)
    // The task goes before the project.
    _ = try await storage.deleteOwnProjects(of: organization.member.key, limit: 9, context: .call)
  }
}
