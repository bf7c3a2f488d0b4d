/// A change of something that counts for a member's dates, as marks look at it.
///
/// Work that is not over is never bound: a mark moves only up to dates that are over, and not past an active entry. So
/// clocking in and out as it happens is no such change.
package struct BoundChange: Hashable, Sendable {
  /// The member whose time it is.
  package let userID: UserID
  private let place: Place

  private enum Place: Hashable, Sendable {
    /// Work that began at the earlier of both starts.
    ///
    /// - Parameter end: The earlier of both ends if only the end changes; else nil.
    case span(from: Instant, end: Instant?)
    /// Something of a date.
    case date(LocalDate)
  }

  /// Looks at a change. Clocking in and out as it happens costs two comparisons, and copies neither resource.
  ///
  /// - Parameters:
  ///   - before: Nil for something new.
  ///   - after: Nil for something that is deleted.
  ///   - time: The time of the change.
  /// - Returns: Nil for a change that no mark can bind.
  package static func found(
    from before: Snapshot?, to after: Snapshot?, at time: Instant
  ) -> BoundChange? {
    let (old, new) = (before?.markedSpan, after?.markedSpan)
    guard let either = new ?? old else { return dated(from: before, to: after) }
    guard min(old?.start ?? either.start, either.start) < time else { return nil }
    if let old, old.end == nil, new.map({ $0.start == old.start }) ?? true { return nil }
    switch (before, after) {
    case (.timeEntry(let entry), nil), (nil, .timeEntry(let entry)):
      return BoundChange(userID: entry.userID, place: .span(from: entry.clockInTime, end: nil))
    case (.segment(let segment), nil), (nil, .segment(let segment)):
      return BoundChange(userID: segment.userID, place: .span(from: segment.startTime, end: nil))
    case (.timeEntry(let before), .timeEntry(let after)): return changed(before, after)
    case (.segment(let before), .segment(let after)): return changed(before, after)
    default: return nil
    }
  }

  private static func dated(from before: Snapshot?, to after: Snapshot?) -> BoundChange? {
    guard case .record(let record)? = after ?? before, let userID = (after ?? before)?.userID,
      let either = record.value as? any DatedRecord, let date = either.firstDate(from: before, to: after)
    else { return nil }
    return BoundChange(userID: userID, place: .date(date))
  }

  private static func changed<Span: MarkedSpan>(_ before: Span, _ after: Span) -> BoundChange {
    var end: Instant?
    if let old = before.markedEnd, let new = after.markedEnd, before.ending(as: after) == after {
      end = min(old, new)
    }
    return BoundChange(
      userID: after.userID, place: .span(from: min(before.markedStart, after.markedStart), end: end))
  }

  private init(userID: UserID, place: Place) {
    self.userID = userID
    self.place = place
  }

  /// Whether it touches the dates before the end of a mark. A shift over the end may be given another end behind it.
  package func isBound(by mark: PeriodEnd) -> Bool {
    switch place {
    case .date(let date): date <= mark.through
    case .span(let start, let end): start < mark.until && !(end.map { $0 >= mark.until } ?? false)
    }
  }

  /// Several changes by the member whose time each is about.
  package static func byMember(
    _ changes: [(before: Snapshot?, after: Snapshot?)], at time: Instant
  ) -> [UserID: [BoundChange]] {
    var found: [UserID: [BoundChange]] = [:]
    for change in changes {
      guard let bound = Self.found(from: change.before, to: change.after, at: time) else { continue }
      found[bound.userID, default: []].append(bound)
    }
    return found
  }
}

extension PeriodEnds {
  /// Refuses a change that a mark binds.
  ///
  /// - Parameter kind: The weakest mark that binds the author of the change; nil if none does.
  /// - Throws: `.periodLocked` with the strongest one that does.
  package func requireOpen(_ change: BoundChange, by kind: PeriodMark.Kind?) throws {
    if let mark = mark(on: change, by: kind) { throw TimeclockError.periodLocked(mark, count: nil) }
  }

  /// The strongest mark that binds a change; nil if none does.
  ///
  /// - Parameter kind: The weakest mark that binds the author of the change; nil if none does.
  package func mark(on change: BoundChange, by kind: PeriodMark.Kind?) -> PeriodMark? {
    guard let kind else { return nil }
    for one in PeriodMark.Kind.allCases.reversed() where one >= kind {
      if let end = self[one], change.isBound(by: end) { return PeriodMark(one, through: end.through) }
    }
    return nil
  }
}

/// A record about a member that counts from a date on, so that marks bind it.
package protocol DatedRecord: ShapedRecord {
  /// The first date that a change touches; nil for none.
  ///
  /// - Parameters:
  ///   - before: Nil for a new record.
  ///   - after: Nil for one that is deleted.
  static func firstDate(from before: Self?, to after: Self?) -> LocalDate?
}

extension DatedRecord {
  /// The same of two records behind snapshots, of which this is one.
  fileprivate func firstDate(from before: Snapshot?, to after: Snapshot?) -> LocalDate? {
    func record(_ snapshot: Snapshot?) -> Self? {
      if case .record(let record)? = snapshot { record.value as? Self } else { nil }
    }
    return Self.firstDate(from: record(before), to: record(after))
  }
}

extension Adjustment: DatedRecord {
  /// None of a cap, which comes and goes with the mark itself.
  package static func firstDate(from before: Adjustment?, to after: Adjustment?) -> LocalDate? {
    [before, after].compactMap { $0 }.filter { $0.kind != .cap }.map(\.date).min()
  }
}

extension WorkSchedule: DatedRecord {
  package static func firstDate(from before: WorkSchedule?, to after: WorkSchedule?) -> LocalDate? {
    [before, after].compactMap { $0?.from }.min()
  }
}

extension Absence: DatedRecord {
  /// A request that is refused or withdrawn touches nothing, and another end touches what lies behind the earlier one.
  package static func firstDate(from before: Absence?, to after: Absence?) -> LocalDate? {
    let after = after.flatMap { $0.state.holdsDates ? $0 : nil }
    let before = before.flatMap { $0.state == .approved || $0.state == after?.state ? $0 : nil }
    guard let before, var extended = after, before.state == extended.state else {
      return [before, after].compactMap { $0?.startDate }.min()
    }
    let ends = (before.endDate, extended.endDate)
    extended.endDate = before.endDate
    guard extended.takesAlike(before) else { return min(before.startDate, extended.startDate) }
    return ends.0 == ends.1 ? nil : min(ends.0, ends.1).adding(days: 1)
  }
}

/// Work that begins and ends.
private protocol MarkedSpan: Equatable {
  var userID: UserID { get }
  var markedStart: Instant { get }
  var markedEnd: Instant? { get }

  /// The same with the end of another one, and with all that follows from the end.
  func ending(as other: Self) -> Self
}

extension TimeEntry: MarkedSpan {
  fileprivate var markedStart: Instant { clockInTime }
  fileprivate var markedEnd: Instant? { clockOutTime }

  fileprivate func ending(as other: TimeEntry) -> TimeEntry {
    var entry = self
    (entry.clockOutTime, entry.flags) = (other.clockOutTime, other.flags)
    (entry.version, entry.updatedAt) = (other.version, other.updatedAt)
    return entry
  }
}

extension Segment: MarkedSpan {
  fileprivate var markedStart: Instant { startTime }
  fileprivate var markedEnd: Instant? { endTime }

  fileprivate func ending(as other: Segment) -> Segment {
    var segment = self
    segment.endTime = other.endTime
    (segment.version, segment.updatedAt) = (other.version, other.updatedAt)
    return segment
  }
}

extension Snapshot {
  /// The span of the work that this is; nil of anything else.
  fileprivate var markedSpan: (start: Instant, end: Instant?)? {
    switch self {
    case .timeEntry(let entry): (entry.clockInTime, entry.clockOutTime)
    case .segment(let segment): (segment.startTime, segment.endTime)
    default: nil
    }
  }
}
