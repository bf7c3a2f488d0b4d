import Testing
import TimeclockDomain

@Suite("A correction")
struct CorrectionTests {
  private enum Person: UInt64, CaseIterable {
    case member = 1
    case author
    case other

    var id: UserID { UserID(high: 9, low: rawValue) }
  }

  private static let now = Instant(millisecondsSince1970: 1_795_165_200_123)

  /// A correction of the member's time.
  private func correction(by author: Person, _ state: CorrectionState = .open) -> Correction {
    Correction(
      head: Head(
        id: CorrectionID(high: 1, low: 2), organizationID: OrganizationID(high: 3, low: 4), at: .earliest)
    ) {
      ($0.userID, $0.by, $0.state) = (Person.member.id, author.id, state)
      if state != .open { ($0.decidedBy, $0.decidedAt) = (author.id, Self.now) }
    }
  }

  private func caller(
    _ person: Person, _ role: Role, _ need: Policy.CorrectionsNeed, isSelfApprovalAllowed: Bool = false
  ) throws -> Membership {
    var policy = Policy.standard
    (policy.correctionsNeed, policy.isSelfApprovalAllowed) = (need, isSelfApprovalAllowed)
    return Membership(
      key: MemberKey(organization: OrganizationKey(1), user: UserKey(2)),
      organizationID: OrganizationID(high: 3, low: 4), userID: person.id, role: role, isActive: true,
      memberTimeZone: nil, organizationTimeZone: try #require(TimeZoneIdentifier("Europe/Berlin")),
      policy: policy)
  }

  /// Each case: the author, whether the policy asks for consent, who decides, with which role, and the refusal.
  @Test(
    "is decided by a manager who is neither its author nor its subject, or by the member whose consent is asked for",
    arguments: [
      (.member, false, .member, .member, "self_approval"), (.member, false, .other, .manager, nil),
      (.member, false, .other, .admin, nil), (.member, false, .other, .member, "self_approval"),
      (.member, false, .member, .manager, "self_approval"),
      (.member, false, .member, .admin, "self_approval"),
      (.author, false, .author, .manager, "self_approval"),
      (.author, false, .author, .admin, "self_approval"),
      (.author, false, .other, .manager, nil), (.author, false, .member, .member, "self_approval"),
      (.author, false, .member, .manager, "self_approval"), (.member, true, .other, .manager, nil),
      (.member, true, .member, .manager, "self_approval"), (.author, true, .member, .member, nil),
      (.author, true, .member, .admin, nil), (.author, true, .author, .admin, "consent_required"),
      (.author, true, .other, .admin, "consent_required"),
    ] as [(Person, Bool, Person, Role, String?)])
  private func deciders(
    _ author: Person, _ needsConsent: Bool, _ person: Person, _ role: Role, _ code: String?
  ) throws {
    let need: Policy.CorrectionsNeed = needsConsent ? .consent : .notice
    let correction = correction(by: author)
    func refusal(_ isSelfApprovalAllowed: Bool) throws -> String? {
      let caller = try caller(person, role, need, isSelfApprovalAllowed: isSelfApprovalAllowed)
      do {
        try correction.requireDecider(caller)
        return nil
      } catch let error as TimeclockError {
        return error.code
      }
    }
    #expect(try refusal(false) == code)
    #expect(try refusal(true) == (code == "self_approval" && role >= .manager ? nil : code))
  }

  /// Each case: the role that decides, that of the author now, whether the member decides, and whether marks bind.
  @Test(
    "reaches time that is approved if an admin agrees, or has proposed what the member agrees to",
    arguments: [
      (.manager, .member, false, true), (.manager, .admin, false, true), (.admin, .member, false, false),
      (.admin, nil, false, false), (.member, .manager, true, true), (.member, .admin, true, false),
      (.admin, .manager, true, true), (.member, nil, true, true),
    ] as [(Role, Role?, Bool, Bool)])
  func marks(_ decider: Role, _ author: Role?, _ isForMember: Bool, _ isBound: Bool) {
    var policy = Policy.standard
    policy.correctionsNeed = isForMember ? .consent : .nothing
    let correction = correction(by: .author)
    #expect(correction.isForMember(under: policy) == isForMember)
    #expect(
      correction.boundBy(decider: decider, author: author, under: policy) == (isBound ? .approved : nil))
  }

  @Test("is decided once, and withdrawn by its author while it is open", arguments: CorrectionState.allCases)
  func once(_ state: CorrectionState) throws {
    for (decision, expected) in [(.agree, .agreed), (.refuse, .refused)]
      as [(CorrectionDecision, CorrectionState)]
    {
      var decided = correction(by: .member, state)
      let decide = { (correction: inout Correction) in
        try correction.decide(decision, answer: "Yes", by: Person.other.id, at: Self.now)
      }
      if state == .open {
        try decide(&decided)
        #expect(decided.state == expected && decided.answer == "Yes" && decided.decidedAt == Self.now)
        #expect(decided.decidedBy == Person.other.id)
      } else {
        #expect(throws: TimeclockError.correctionDecided) { try decide(&decided) }
        #expect(decided == correction(by: .member, state))
      }
    }
    var withdrawn = correction(by: .author, state)
    for person in [Person.member, .other] {
      #expect(throws: state == .open ? TimeclockError.forbidden : .correctionDecided) {
        try withdrawn.withdraw(by: person.id, at: Self.now)
      }
    }
    if state == .open {
      try withdrawn.withdraw(by: Person.author.id, at: Self.now)
      #expect(withdrawn.state == .withdrawn && withdrawn.decidedBy == Person.author.id)
    } else {
      #expect(throws: TimeclockError.correctionDecided) {
        try withdrawn.withdraw(by: Person.author.id, at: Self.now)
      }
    }
  }

  @Test(
    "is objected to by the member, if somebody else has applied it in the last fourteen days",
    arguments: CorrectionState.allCases)
  func objections(_ state: CorrectionState) throws {
    let last = Self.now.adding(milliseconds: 14 * 86_400_000)
    for (author, time) in [
      (.author, Self.now), (.author, last), (.author, last.adding(milliseconds: 1)), (.member, Self.now),
    ] as [(Person, Instant)] {
      var objected = correction(by: author, state)
      let isOpen = state == .applied && author == .author && time <= last
      #expect(throws: isOpen ? TimeclockError.forbidden : .correctionDecided) {
        try objected.object(because: "No", by: Person.other.id, at: time)
      }
      if isOpen {
        try objected.object(because: "No", by: Person.member.id, at: time)
        #expect(objected.state == .objected && objected.answer == "No" && objected.decidedAt == Self.now)
      } else {
        #expect(throws: TimeclockError.correctionDecided) {
          try objected.object(because: "No", by: Person.member.id, at: time)
        }
      }
    }
  }

  @Test("is needed for nobody's own times, and for others' as the policy says")
  func needs() throws {
    for need in Policy.CorrectionsNeed.allCases {
      let caller = try caller(.author, .admin, need)
      #expect(caller.correctionsNeed(of: Person.author.id) == .nothing)
      #expect(caller.correctionsNeed(of: Person.member.id) == need)
      let refuses = (try? caller.requireNoConsent(of: Person.member.id)) == nil
      #expect(refuses == (need == .consent))
    }
    #expect(Policy.standard.correctionsNeed == .nothing)
  }
}
