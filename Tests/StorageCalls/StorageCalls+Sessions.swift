import TimeclockDomain

extension StoragePart {
  static let sessions = StoragePart(StorageCalls.sessions) { organization, storage in
    _ = try await storage.createSession(
      organization.session(organization.names.session, of: [organization.member.id]), in: organization.key,
      context: .call)
  }
}

extension PreparedOrganization.Names {
  /// The session of the member, which has an entry.
  package var session: SessionID { id(of: .session) }
}

extension StorageCalls {
  fileprivate static let sessions: [StorageMethod] = [
    StorageMethod(
      "createSession(_:in:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createSession(
          organization.session(of: [organization.member.id, organization.admin.id]), in: organization.key,
          context: .call, recording: recording)
      } + [
        StorageCall("with a stranger") { organization, storage in
          try await storage.createSession(
            organization.session(of: [PreparedOrganization.next()]), in: organization.key, context: .call)
        }
      ]),
    StorageMethod(
      "session(_:in:)", .reads, .organization,
      [StorageCall { try await $1.session($0.names.session, in: $0.key) }]),
    StorageMethod(
      "sessions(_:)", .reads, .organization,
      [false, true].flatMap { isAssigned in
        [(nil, "all dates"), (0, "one date"), (90, "a season")].flatMap { days, dates in
          [nil, SessionCursor(date: .earliest, row: 0)].map { cursor in
            let whose = isAssigned ? "a member's" : "everybody's"
            let place = cursor == nil ? "" : ", from a place on"
            return StorageCall("of \(whose) on \(dates)\(place)") { organization, storage in
              try await storage.sessions(
                SessionQuery(
                  organization: organization.key,
                  assignee: isAssigned ? organization.member.key.user : nil,
                  from: days.map { PreparedOrganization.today.adding(days: -$0) },
                  through: days.map { _ in PreparedOrganization.today }, cursor: cursor, limit: 9)
              ).elements
            }
          }
        }
      } + [
        StorageCall("of a group's") { organization, storage in
          try await storage.sessions(
            SessionQuery(organization: organization.key, group: organization.group(storage), limit: 9)
          ).elements
        }
      ]),
    StorageMethod(
      "updateSession(_:_:)", .writes, .organization,
      [
        update("by its title") { $0.title = "Changed" },
        StorageCall("to other assignees") { organization, storage in
          try await storage.updateSession(
            change(of: organization, assignees: [organization.admin.id])
          ) { _ in }
        },
        StorageCall("to nobody") { try await $1.updateSession(change(of: $0, assignees: [])) { _ in } },
        update("of another version", version: 9) { _ in },
      ]),
    StorageMethod(
      "deleteSession(_:)", .writes, .organization,
      [false, true].map { isDetaching in
        StorageCall(isDetaching ? "with its entries detached" : "that has entries") { organization, storage in
          try await storage.deleteSession(
            SessionDeletion(
              id: organization.names.session, organization: organization.key, expectedVersion: nil,
              detachesEntries: isDetaching, context: .call))
        }
      } + [
        StorageCall(
          "without entries",
          after: { organization, storage in
            try await storage.deleteTimeEntry(
              TimeEntryUpdate(
                id: organization.names.entry, organization: organization.key, expectedVersion: nil,
                needsSessionAssignment: false, context: .call)
            ) { _ in }
          },
          { organization, storage in
            try await storage.deleteSession(
              SessionDeletion(
                id: organization.names.session, organization: organization.key, expectedVersion: 1,
                detachesEntries: false, context: .call))
          })
      ]),
  ]

  private static func change(
    of organization: PreparedOrganization, version: Int64? = nil, assignees: [UserID]? = nil
  ) -> SessionUpdate {
    SessionUpdate(
      id: organization.names.session, organization: organization.key, expectedVersion: version,
      assigneeIDs: assignees, context: .call)
  }

  private static func update(
    _ name: String, version: Int64? = nil, _ change: @escaping @Sendable (inout Session) -> Void
  ) -> StorageCall {
    StorageCall(name) { try await $1.updateSession(self.change(of: $0, version: version), change) }
  }
}
