import Procedures
import TimeclockDomain

/// The task timer of one person, as the contract of Trackify's app knows it (docs/decisions/0029-task-timer-api.md): tasks
/// with events, and one timer. It has no rule and no row of its own: a task is a task, an event is a closed segment of one,
/// the timer is the open segment, and every step is a use case that `/v1` has too.
struct TaskTimer: Sendable {
  let timeclock: Timeclock
  /// The person, in the organization that the timer is of.
  let caller: Membership

  /// The most rows that are read at once.
  static let pageLimit = 500

  // MARK: Tasks

  /// The person's own tasks and those of the organization, hidden or not, by name.
  func tasks(isHidden: Bool?) async throws -> [WorkTask] {
    var tasks: [WorkTask] = []
    for owner in [OwnerFilter.me, .organization] {
      var cursor: RowCursor?
      repeat {
        let page = try await timeclock.tasks(
          isHidden: isHidden, of: nil, owner: owner, after: cursor, limit: Self.pageLimit, for: caller)
        tasks += page.elements
        cursor = page.next
      } while cursor != nil
    }
    return tasks.map { (key: ($0.name, $0.id.text), task: $0) }.sorted { $0.key < $1.key }.map(\.task)
  }

  /// One of these tasks.
  ///
  /// - Throws: `.notFound(.task)`, also for another member's own, which managers see elsewhere.
  func task(_ id: TaskID) async throws -> WorkTask {
    let task = try await timeclock.task(id, for: caller)
    guard task.ownerID == nil || task.ownerID == caller.userID else { throw TimeclockError.notFound(.task) }
    return task
  }

  /// One of the person's own tasks, which alone they change here.
  ///
  /// - Throws: `.notFound(.task)`.
  func ownTask(_ id: TaskID) async throws -> WorkTask {
    let task = try await task(id)
    guard task.ownerID == caller.userID else { throw TimeclockError.notFound(.task) }
    return task
  }

  /// Makes a task of the person's own.
  ///
  /// - Throws: As `Timeclock.createTask` does.
  func createTask(_ new: Stated<WorkTask>) async throws -> WorkTask {
    try await timeclock.createTask(new, of: caller.userID, by: caller)
  }

  /// Changes one of the person's own tasks. The timer of one that is hidden stops.
  ///
  /// - Throws: `.notFound(.task)`, and as `Timeclock.updateTask` does.
  func updateTask(_ id: TaskID, _ changes: Stated<WorkTask>) async throws -> WorkTask {
    _ = try await ownTask(id)
    let task = try await timeclock.updateTask(id, changes, expectedVersion: nil, by: caller)
    if changes.states("hidden"), task.isHidden { _ = try await stop(id) }
    return task
  }

  /// Hides one of the person's own tasks, and stops its timer.
  ///
  /// - Throws: As `updateTask` does.
  func hideTask(_ id: TaskID) async throws {
    _ = try await updateTask(id, Stated { $0.isHidden = true })
    _ = try await stop(id)
  }

  // MARK: The timer

  /// The running timer: the open segment of a task; nil if none is open, or a break or work without a task is.
  func running() async throws -> Segment? {
    var query = SegmentQuery(organization: caller.key.organization, user: caller.key.user, limit: 1)
    // An open segment is the newest one.
    query.kind = nil
    let newest = try await timeclock.storage.segments(query).elements.first
    guard let newest, newest.endTime == nil, newest.purpose.taskID != nil else { return nil }
    return newest
  }

  /// Ends the timer of a task. If a timer clocked the member in, and not they themselves, they are clocked out too.
  ///
  /// - Parameter end: The end that a client which was offline states; nil for now.
  /// - Returns: The stored segment; nil if the timer of this task does not run.
  /// - Throws: As `Timeclock.stopSegment` does.
  func stop(_ id: TaskID, at end: Instant? = nil) async throws -> Segment? {
    guard let open = try await running(), open.purpose.taskID == id else { return nil }
    var clockOut = false
    if let entryID = open.timeEntryID {
      clockOut = try await timeclock.timeEntry(entryID, for: caller).startedBy == .segment
    }
    do {
      return try await timeclock.stopSegment(
        StopSegmentRequest(endTime: end, resume: false, clockOut: clockOut), by: caller
      ).segment
    } catch let error as TimeclockError where error == .noActiveSegment {
      // Another device was faster.
      return nil
    }
  }
}
