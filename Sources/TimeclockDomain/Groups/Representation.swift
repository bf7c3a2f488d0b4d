/// The reading of a group's members by somebody who represents it, and has no other right to it. What is read goes through
/// `RepresentativeView`, and is kept as a `RecordRead`.
package struct Representation: Sendable {
  package var group: GroupKey
  package var groupID: GroupID
  package var operation: RecordRead.Operation
  /// The members of the group that the request states, each once; none for all of them.
  package var people: [(id: UserID, key: UserKey)]

  package init(
    group: GroupKey, groupID: GroupID, operation: RecordRead.Operation, people: [(id: UserID, key: UserKey)]
  ) {
    self.group = group
    self.groupID = groupID
    self.operation = operation
    self.people = people
  }

  /// The one member that is stated, or all of the group.
  package var members: MemberSelection {
    people.count == 1 ? .member(people[0].key) : .group(group)
  }

  /// The only member that the request states; nil for none and for several.
  package var userID: UserID? { people.count == 1 ? people[0].id : nil }
}
