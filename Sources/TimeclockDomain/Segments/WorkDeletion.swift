/// The work segments of a member that a part of a reset deletes.
package struct WorkDeletion: Sendable {
  package var member: MemberKey
  /// The start of the last segment of the part before; nil for the first part.
  package var after: Instant?
  /// Only closed segments that begin before this instant; nil means all, the open one too.
  package var before: Instant?
  /// The most segments to delete, at least 1.
  package var limit: Int
  package var context: ChangeContext

  package init(
    member: MemberKey, after: Instant? = nil, before: Instant?, limit: Int, context: ChangeContext
  ) {
    self.member = member
    self.after = after
    self.before = before
    self.limit = limit
    self.context = context
  }
}

/// The outcome of a part of a reset of segments.
package struct WorkDeletionPart: Hashable, Sendable {
  /// The number of segments that were deleted.
  package var count: Int
  /// The number of segments that stay, for a mark binds them.
  package var kept: Int
  /// The start of the last one, behind which the next part begins; nil if none is left.
  package var next: Instant?

  package init(count: Int, kept: Int, next: Instant?) {
    self.count = count
    self.kept = kept
    self.next = next
  }
}

/// The outcome of a part of a reset of projects.
package struct OwnProjectsDeletionPart: Hashable, Sendable {
  /// The number of projects that were deleted.
  package var projects = 0
  /// The number of tasks that were deleted.
  package var tasks = 0
  /// The number of projects and tasks that stay, for marks bind segments of them.
  package var kept = 0
  /// The place behind which the next part begins.
  package var place: Place
  /// Whether nothing of the member's own was left to delete.
  package var isLast = false

  package init(from place: Place = Place()) {
    self.place = place
  }

  /// The rows of the last task and the last project that stay.
  package struct Place: Hashable, Sendable {
    package var task: Int64 = 0
    package var project: Int64 = 0

    package init() {}
  }
}
