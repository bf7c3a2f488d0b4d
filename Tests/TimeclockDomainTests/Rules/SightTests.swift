import Testing

@testable import TimeclockDomain

/// The changes that a manager of own groups sees.
struct SightTests {
  private static let manager = UserID(high: 1, low: 1)
  private static let own = UserID(high: 1, low: 2)
  private static let other = UserID(high: 1, low: 3)

  private static func head<Record>() -> Head<Record> {
    Head(id: Identifier(high: 2, low: 1), organizationID: OrganizationID(high: 3, low: 1), at: .earliest)
  }

  private static func group(managers: [UserID], members: [UserID]) -> Snapshot {
    var group = Group(head: head())
    (group.managerIDs, group.memberIDs) = (managers, members)
    return .record(AnyRecord(group))
  }

  private static func project(of owner: UserID?) -> Snapshot {
    var project = Project(head: head())
    project.ownerID = owner
    return .record(AnyRecord(project))
  }

  private static func session(_ assignees: [UserID]) -> Snapshot {
    .session(
      Session(
        id: Identifier(high: 2, low: 2), organizationID: OrganizationID(high: 3, low: 1), date: .earliest,
        title: "Harvest", startTime: nil, endTime: nil, location: nil, assigneeIDs: assignees, version: 1,
        createdAt: .earliest, updatedAt: .earliest))
  }

  /// A change, and what the manager sees of it: its kind, before and after.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: Snapshot?
    let after: Snapshot?
    let kind: ChangeKind?
    let shownBefore: Snapshot?
    let shownAfter: Snapshot?

    init(
      _ name: String, _ before: Snapshot?, _ after: Snapshot?, shows kind: ChangeKind?,
      _ shownBefore: Snapshot? = nil,
      _ shownAfter: Snapshot? = nil
    ) {
      testDescription = name
      (self.before, self.after, self.kind) = (before, after, kind)
      (self.shownBefore, self.shownAfter) = (shownBefore, shownAfter)
    }
  }

  static let cases: [Case] = [
    Case("an own member's", nil, project(of: own), shows: .created, nil, project(of: own)),
    Case("the organization's", project(of: nil), nil, shows: .deleted, project(of: nil)),
    Case("another member's", project(of: other), project(of: other), shows: nil),
    Case(
      "a session's assignees", session([own]), session([own, other]), shows: .updated, session([own]),
      session([own])),
    Case(
      "a managed group", group(managers: [manager], members: [own]),
      group(managers: [manager, other], members: [own, other]), shows: .updated,
      group(managers: [manager], members: [own]), group(managers: [manager], members: [own])),
    Case("a group of others", nil, group(managers: [other], members: [own]), shows: nil),
    Case(
      "a group that the manager is taken off", group(managers: [manager], members: [own]),
      group(managers: [], members: [own]), shows: .deleted, group(managers: [manager], members: [own])),
    Case(
      "a group that the manager is given", group(managers: [other], members: [own]),
      group(managers: [manager], members: [own]), shows: .updated, nil,
      group(managers: [manager], members: [own])),
  ]

  private static func caller(_ role: Role, _ sight: Sight) -> Membership {
    var policy = Policy.standard
    policy.managersSee = .ownGroups
    var caller = Membership(
      key: MemberKey(organization: OrganizationKey(1), user: UserKey(1)),
      organizationID: OrganizationID(high: 3, low: 1), userID: manager, role: role, isActive: true,
      memberTimeZone: nil, organizationTimeZone: TimeZoneIdentifier("UTC")!, policy: policy)
    caller.sight = sight
    return caller
  }

  @Test("shows what is theirs", arguments: cases)
  func changes(_ example: Case) throws {
    let snapshot = try #require(example.after ?? example.before)
    let kind: ChangeKind = example.before == nil ? .created : example.after == nil ? .deleted : .updated
    let change = Change(
      sequence: 1, kind: kind, resource: snapshot.kind, resourceID: snapshot.resourceID,
      context: ChangeContext(author: .service, operation: "x", time: .earliest), before: example.before,
      after: example.after)
    let seen = ChangeView(of: Self.caller(.manager, .members([Self.manager, Self.own]))).shown(change)
    #expect(seen?.kind == example.kind)
    #expect(seen?.before == example.shownBefore && seen?.after == example.shownAfter)
    #expect(ChangeView(of: Self.caller(.manager, .everyone)).shown(change) == change)
    #expect(ChangeView(of: Self.caller(.admin, .everyone)).shown(change) == change)
  }

  @Test("erased changes are shown of own members alone")
  func erased() {
    for (user, isShown) in [(Self.own, true), (Self.other, false)] {
      let change = Change(
        sequence: 1, kind: .updated, resource: .member, resourceID: ResourceID(user),
        context: ChangeContext(author: .service, operation: "x", time: .earliest), before: nil, after: nil,
        isErased: true)
      let view = ChangeView(of: Self.caller(.manager, .members([Self.manager, Self.own])))
      #expect((view.shown(change) != nil) == isShown)
    }
  }

  @Test("access is theirs, and others are not found")
  func access() throws {
    let caller = Self.caller(.manager, .members([Self.manager, Self.own]))
    for user in [Self.manager, Self.own] { try caller.requireAccess(to: user) }
    #expect(throws: TimeclockError.notFound(.timeEntry)) {
      try caller.requireAccess(to: Self.other, or: .timeEntry)
    }
    #expect(caller.sees(nil) && caller.sees(Self.own) && !caller.sees(Self.other))
    #expect(caller.seen == .managed(by: UserKey(1)))
    #expect(Self.caller(.manager, .members([Self.manager])).seen == .member(UserKey(1)))
    #expect(Self.caller(.admin, .everyone).seen == .everybody)
    #expect(throws: TimeclockError.forbidden) {
      try Self.caller(.member, .everyone).requireAccess(to: Self.other)
    }
    #expect(!Self.caller(.member, .everyone).sees(Self.other))
    #expect(!Self.caller(.admin, .everyone).seesOwnGroups && caller.seesOwnGroups)
  }
}
