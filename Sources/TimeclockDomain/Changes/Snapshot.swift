/// A resource as it was at one moment.
package enum Snapshot: Hashable, Sendable {
  case organization(Organization)
  case member(Member)
  case apiToken(ApiToken)
  case timeEntry(TimeEntry)
  case session(Session)
  case breakType(BreakType)
  case invitation(Invitation)
  case project(Project)
  case task(WorkTask)
  case segment(Segment)
  case webhook(Webhook)
  case reminder(Reminder)

  /// The kinds of resources whose changes are kept, by their names in the contract.
  package enum Kind: String, CaseIterable, Sendable {
    case organization
    case member
    case apiToken
    case timeEntry
    case session
    case breakType
    case invitation
    case project
    case task
    case segment
    case webhook
    case reminder
  }

  package var kind: Kind {
    switch self {
    case .organization: .organization
    case .member: .member
    case .apiToken: .apiToken
    case .timeEntry: .timeEntry
    case .session: .session
    case .breakType: .breakType
    case .invitation: .invitation
    case .project: .project
    case .task: .task
    case .segment: .segment
    case .webhook: .webhook
    case .reminder: .reminder
    }
  }

  /// The owner of the resource; nil for one that is no member's.
  package var userID: UserID? {
    switch self {
    case .organization, .session, .breakType, .webhook: nil
    case .member(let member): member.userID
    case .apiToken(let apiToken): apiToken.userID
    case .timeEntry(let entry): entry.userID
    case .invitation(let invitation): invitation.userID
    case .project(let project): project.ownerID
    case .task(let task): task.ownerID
    case .segment(let segment): segment.userID
    case .reminder(let reminder): reminder.userID
    }
  }

  /// The resource's public id; a member's is the user's.
  package var resourceID: ResourceID {
    switch self {
    case .organization(let organization): ResourceID(organization.id)
    case .member(let member): ResourceID(member.userID)
    case .apiToken(let apiToken): ResourceID(apiToken.id)
    case .timeEntry(let entry): ResourceID(entry.id)
    case .session(let session): ResourceID(session.id)
    case .breakType(let breakType): ResourceID(breakType.id)
    case .invitation(let invitation): ResourceID(invitation.id)
    case .project(let project): ResourceID(project.id)
    case .task(let task): ResourceID(task.id)
    case .segment(let segment): ResourceID(segment.id)
    case .webhook(let webhook): ResourceID(webhook.id)
    case .reminder(let reminder): ResourceID(reminder.id)
    }
  }
}

extension Snapshot.Kind {
  /// The word for a resource of the kind in sentences.
  package var noun: String {
    switch self {
    case .organization: "organization"
    case .member: "member"
    case .apiToken: "API token"
    case .timeEntry: "time entry"
    case .session: "session"
    case .breakType: "break type"
    case .invitation: "invitation"
    case .project: "project"
    case .task: "task"
    case .segment: "segment"
    case .webhook: "webhook"
    case .reminder: "reminder"
    }
  }

  /// The word for a resource of the kind in codes, such as `time_entry`.
  package var codeWord: String { noun.lowercased().replacing(" ", with: "_") }

  /// The readers of its changes beside managers.
  enum Readers {
    /// The owner; all members, if it is no member's.
    case owner
    /// The members who are assigned to it.
    case assignees
    /// Admins only, not even managers.
    case admins
  }

  var readers: Readers {
    switch self {
    case .organization, .member, .timeEntry, .breakType, .project, .task, .segment, .reminder: .owner
    case .session: .assignees
    case .apiToken, .invitation, .webhook: .admins
    }
  }

  /// Whether its changes are for admins only.
  package var isOfAdmins: Bool { readers == .admins }

  /// Whether each may be one member's, or is the member, so that its changes are erased with the person.
  package var isOfMember: Bool {
    switch self {
    case .organization, .session, .breakType, .webhook: false
    case .member, .apiToken, .timeEntry, .invitation, .project, .task, .segment, .reminder: true
    }
  }
}

extension Identifier where Subject == Snapshot {
  /// The id of a resource of any kind.
  package init<Resource>(_ id: Identifier<Resource>) {
    self.init(high: id.high, low: id.low)
  }
}
