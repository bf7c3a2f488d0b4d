import Procedures
import TimeclockDomain

/// An event as the app sends it when a timer has stopped, or as somebody enters it.
struct TaskTimerEvent: Sendable {
  var taskID: TaskID
  /// Nil for the app's own word.
  var name: String?
  /// Milliseconds, at least 1.
  var duration: Int64
  /// The time at which the timer started; nil for now, and then the event ends ahead of now.
  var startTime: Instant?
}

extension TaskTimer {
  /// The name of an event that has none.
  static let defaultName = "Time entry"
  /// The difference between the start that a device states and the one that is stored, in milliseconds, within which both
  /// are of one event.
  private static let sameStart: Int64 = 5_000
  /// The time for which an event may come again, in milliseconds.
  private static let sameEventTime: Int64 = 600_000
  /// The tasks that are asked for their events one by one.
  private static let fewTasks = 100

  /// The next page of the person's events, the newest first; nil behind the last one.
  ///
  /// - Parameters:
  ///   - taskID: Only those of this task; nil for all that have one.
  ///   - last: The page before it; nil for the first one.
  func eventPage(
    of taskID: TaskID?, behind last: Page<Segment, SegmentCursor>? = nil
  ) async throws -> Page<Segment, SegmentCursor>? {
    if let last, last.next == nil { return nil }
    var page = try await timeclock.storage.segments(
      SegmentQuery(
        organization: caller.key.organization, members: .member(caller.key.user), taskID: taskID, kind: .work,
        cursor: last?.next, limit: Self.pageLimit))
    page.elements.removeAll { $0.endTime == nil || $0.purpose.taskID == nil }
    return page
  }

  /// The tasks with events, and maybe others: many tasks are not looked up one by one.
  func tasksWithEvents(among tasks: [WorkTask]) async throws -> Set<TaskID> {
    guard tasks.count > Self.fewTasks else { return Set(tasks.map(\.id)) }
    var found: Set<TaskID> = []
    var page = try await eventPage(of: nil)
    while let events = page {
      for event in events.elements { if let id = event.purpose.taskID { found.insert(id) } }
      page = try await eventPage(of: nil, behind: events)
    }
    return found
  }

  /// Stores an event.
  ///
  /// The app stops its timer over one connection and posts the event over another, in any order, repeatedly, or only one of
  /// both. So an event with the task and the start of a timer that runs, or has ended in the last ten minutes, is that
  /// timer's, and no second one is made. Its times are those of the service; the device's clock says neither.
  ///
  /// - Throws: `.notFound(.task)`, `.inFuture`, `.segmentOverlap`, and as `Timeclock.createSegment` does.
  func record(_ event: TaskTimerEvent) async throws -> Segment {
    let task = try await task(event.taskID)
    let now = timeclock.clock.now
    let start = event.startTime ?? now
    // Once more if another device has ended the timer meanwhile.
    for _ in 0..<3 {
      guard let same = try await sameEvent(task.id, start, now: now) else { break }
      if same.endTime != nil { return try await named(same, event.name) }
      if let stopped = try await stop(
        task.id, at: offlineEnd(of: same.startTime, after: event.duration, now: now))
      {
        return try await named(stopped, event.name)
      }
    }
    return try await create(event, from: start)
  }

  /// The end that was made without a connection; nil for now. An end that has just been is the service's, regardless of
  /// the device's clock.
  ///
  /// - Parameter duration: The length that the device has counted, in milliseconds.
  func offlineEnd(of start: Instant, after duration: Int64, now: Instant) -> Instant? {
    let end = start.adding(milliseconds: duration)
    return end < now.adding(milliseconds: -300_000) ? end : nil
  }

  private func sameEvent(_ taskID: TaskID, _ start: Instant, now: Instant) async throws -> Segment? {
    let query = SegmentQuery(
      organization: caller.key.organization, members: .member(caller.key.user), taskID: taskID, kind: .work,
      start: start.adding(milliseconds: -Self.sameStart), end: start.adding(milliseconds: Self.sameStart + 1),
      limit: 10)
    let oldest = now.adding(milliseconds: -Self.sameEventTime)
    return try await timeclock.storage.segments(query).elements.first { segment in
      segment.endTime.map { max($0, segment.updatedAt) >= oldest } ?? true
    }
  }

  /// Gives an event the name that came later.
  private func named(_ segment: Segment, _ name: String?) async throws -> Segment {
    let name = Self.storedName(name) ?? segment.name
    guard name != segment.name else { return segment }
    return try await timeclock.updateSegment(
      segment.id, SegmentChanges(name: name), reason: nil, expectedVersion: nil, by: caller)
  }

  /// Puts an event into the time entry that contains it, makes one for it if none touches it, and keeps it without one
  /// if the rules of time entries forbid that. None is made that would end ahead of now.
  private func create(_ event: TaskTimerEvent, from start: Instant) async throws -> Segment {
    var request = ManualSegmentRequest(
      startTime: start, endTime: start.adding(milliseconds: event.duration),
      purpose: SegmentPurpose(taskID: event.taskID), name: Self.storedName(event.name))
    request.mayEndAhead = event.startTime == nil
    for attachment in request.mayEndAhead ? [.attach] : [ManualSegmentRequest.Attachment.attach, .create] {
      request.attachment = attachment
      do {
        return try await timeclock.createSegment(request, by: caller)
      } catch let error as TimeclockError where error == .outsideTimeEntry || error.isOfEntriesAlone {
        continue
      }
    }
    request.attachment = .none
    return try await timeclock.createSegment(request, by: caller)
  }

  /// The name as it is kept: none for the app's own word.
  static func storedName(_ name: String?) -> String? {
    name == defaultName ? "" : name
  }

  /// One of the person's events.
  ///
  /// - Throws: `.notFound(.segment)`, also for the running timer.
  func event(_ id: SegmentID) async throws -> Segment {
    guard let segment = try await timeclock.storage.segment(id, in: caller.key.organization),
      segment.userID == caller.userID, segment.endTime != nil, segment.purpose.taskID != nil
    else { throw TimeclockError.notFound(.segment) }
    return segment
  }

  /// Changes an event. The end of a time entry that is there for the event alone moves along.
  ///
  /// - Parameter duration: Milliseconds, at least 1; nil leaves it.
  /// - Throws: As `event`, `Timeclock.updateSegment` and `Timeclock.updateTimeEntry` do.
  func updateEvent(_ id: SegmentID, name: String?, duration: Int64?) async throws -> Segment {
    let segment = try await event(id)
    // Before anything is changed.
    _ = try name.map { try SegmentText.name($0) }
    let end = duration.map { segment.startTime.adding(milliseconds: $0) }
    if let end, let entry = try await entry(onlyOf: segment) {
      // An event that is in the way is named before a time entry.
      let overlaps = try await timeclock.storage.overlappingSegments(
        of: caller.key, from: segment.startTime, to: end, excluding: id)
      guard overlaps.count == 0 else {
        throw TimeclockError.segmentOverlap(overlaps.segments, count: overlaps.count)
      }
      do {
        _ = try await timeclock.updateTimeEntry(
          entry.id, TimeEntryChanges(clockOutTime: end), reason: nil, expectedVersion: nil, by: caller)
      } catch TimeclockError.tooShort {
        // An entry is a minute long at least; the event may be shorter.
      }
    }
    let changes = SegmentChanges(endTime: end, name: Self.storedName(name))
    return try await timeclock.updateSegment(id, changes, reason: nil, expectedVersion: nil, by: caller)
  }

  /// Deletes an event, and the time entry that is there for it alone.
  ///
  /// - Throws: As `event`, `Timeclock.deleteSegment` and `Timeclock.deleteTimeEntry` do.
  func deleteEvent(_ id: SegmentID) async throws {
    let segment = try await event(id)
    if let entry = try await entry(onlyOf: segment) {
      try await timeclock.deleteTimeEntry(entry.id, reason: nil, expectedVersion: nil, by: caller)
    } else {
      try await timeclock.deleteSegment(id, reason: nil, expectedVersion: nil, by: caller)
    }
  }

  /// The ended entry of a segment, if a timer began it or it covers just the segment, and it has no other.
  private func entry(onlyOf segment: Segment) async throws -> TimeEntry? {
    guard let id = segment.timeEntryID else { return nil }
    let entry = try await timeclock.timeEntry(id, for: caller)
    guard let end = entry.clockOutTime,
      entry.startedBy == .segment || entry.clockInTime == segment.startTime && end == segment.endTime
    else { return nil }
    let inside = try await timeclock.storage.overlappingSegments(
      of: caller.key, from: entry.clockInTime, to: end, excluding: segment.id)
    return inside.count == 0 ? entry : nil
  }

  /// Whether the timer could have begun at another time: the running one is not in its own way.
  ///
  /// - Returns: The time that counts, as `StatedTime` has it.
  /// - Throws: `.inFuture`, `.segmentOverlap`.
  func checkStart(_ start: Instant) async throws -> Instant {
    let now = timeclock.clock.now
    let start = try StatedTime.counted(start, now: now)
    guard start < now else { return start }
    let overlaps = try await timeclock.storage.overlappingSegments(
      of: caller.key, from: start, to: now, excluding: running()?.id)
    guard overlaps.count == 0 else {
      throw TimeclockError.segmentOverlap(overlaps.segments, count: overlaps.count)
    }
    return start
  }
}

extension TimeclockError {
  /// Whether the rules of time entries refuse it while those of segments may allow it.
  fileprivate var isOfEntriesAlone: Bool {
    switch self {
    case .overlap, .clockedOutLater, .tooShort, .tooLong, .forbidden, .daysTooFarBack: true
    default: false
    }
  }
}
