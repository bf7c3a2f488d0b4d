/// A resource as it was at one moment.
package enum Snapshot: Hashable, Sendable {
  case organization(Organization)
  case member(Member)
  case apiToken(ApiToken)
  case timeEntry(TimeEntry)
  case session(Session)
  case invitation(Invitation)
  case segment(Segment)
  case webhook(Webhook)
  case reminder(Reminder)
  /// A record of a kind that has a shape.
  case record(AnyRecord)

  package var kind: Kind {
    switch self {
    case .organization: .organization
    case .member: .member
    case .apiToken: .apiToken
    case .timeEntry: .timeEntry
    case .session: .session
    case .invitation: .invitation
    case .segment: .segment
    case .webhook: .webhook
    case .reminder: .reminder
    case .record(let record): record.kind
    }
  }

  /// The owner of the resource; nil for one that is no member's.
  package var userID: UserID? {
    switch self {
    case .organization, .session, .webhook: nil
    case .member(let member): member.userID
    case .apiToken(let apiToken): apiToken.userID
    case .timeEntry(let entry): entry.userID
    case .invitation(let invitation): invitation.userID
    case .segment(let segment): segment.userID
    case .reminder(let reminder): reminder.userID
    case .record(let record): record.ownerID
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
    case .invitation(let invitation): ResourceID(invitation.id)
    case .segment(let segment): ResourceID(segment.id)
    case .webhook(let webhook): ResourceID(webhook.id)
    case .reminder(let reminder): ResourceID(reminder.id)
    case .record(let record): record.id
    }
  }
}

extension Identifier where Subject == Snapshot {
  /// The id of a resource of any kind.
  package init<Resource>(_ id: Identifier<Resource>) {
    self.init(high: id.high, low: id.low)
  }
}
