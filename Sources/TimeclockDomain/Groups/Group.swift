/// The public id of a group.
package typealias GroupID = Identifier<Group>

/// Members who belong together, such as a crew or a department, with those who manage them.
package struct Group: ShapedRecord {
  package var head: Head<Group>
  package var name = ""
  // Of each list: each once, in the order of the ids. Members who are deactivated stay in them.
  package var managerIDs: [UserID] = [] {
    didSet { managerIDs = managerIDs.ordered }
  }
  package var memberIDs: [UserID] = [] {
    didSet { memberIDs = memberIDs.ordered }
  }
  /// Members who speak for the others.
  package var representativeIDs: [UserID] = [] {
    didSet { representativeIDs = representativeIDs.ordered }
  }

  package init(head: Head<Group>) {
    self.head = head
  }

  package static let shape = Shape<Group>(
    .group, list: "groups", readers: .managers,
    fields: [
      .text("name", \.name, rule: Name.validated),
      .people("managerIds", \.managerIDs, part: Part.manager.rawValue),
      .people("memberIds", \.memberIDs, part: Part.member.rawValue),
      .people("representativeIds", \.representativeIDs, part: Part.representative.rawValue),
    ])

  package static let limit = RecordLimit(200, orThrow: .tooManyGroups)
}

extension Group {
  /// The part that a person has in a group; somebody may have several.
  package enum Part: String, CaseIterable, Sendable {
    case manager
    case member
    case representative

    fileprivate var people: WritableKeyPath<Group, [UserID]> {
      switch self {
      case .manager: \.managerIDs
      case .member: \.memberIDs
      case .representative: \.representativeIDs
      }
    }
  }

  /// The people who have a part.
  package subscript(part: Part) -> [UserID] {
    get { self[keyPath: part.people] }
    set { self[keyPath: part.people] = newValue }
  }

  /// Everybody in it, each once.
  package var people: Set<UserID> { Set(managerIDs + memberIDs + representativeIDs) }

  /// The group with the people whom a manager sees.
  package func shown(to caller: Membership) -> Group {
    guard case .members(let seen) = caller.sight else { return self }
    return shown(within: seen)
  }

  /// The group with the people of a set.
  func shown(within seen: Set<UserID>) -> Group {
    var group = self
    for part in Part.allCases { group[part] = group[part].filter(seen.contains) }
    return group
  }

  /// The parts of a person.
  package func parts(of userID: UserID) -> [Part] { Part.allCases.filter { self[$0].contains(userID) } }
}

extension TimeclockError {
  package static let tooManyGroups = TimeclockError.plain(
    PlainRefusal(
      "too_many_groups", against: .state, "An organization has at most 200 groups. Delete one first."))
}
