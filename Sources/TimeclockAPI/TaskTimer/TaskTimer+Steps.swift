import Procedures
import TimeclockDomain

/// A step of the timer that is refused in the app's own words.
struct TimerRefusal: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  static let changed = TimerRefusal("Timer has changed. Please try again.")
}

extension TaskTimer {
  /// Starts the timer of a task, and ends the running segment.
  ///
  /// - Parameter time: A start in the past; nil for now.
  /// - Throws: `.notFound(.task)`, and as `Timeclock.startSegment` does.
  func start(_ id: TaskID, at time: Instant?) async throws -> StartedSegment {
    let task = try await task(id)
    guard !task.isHidden else { throw TimeclockError.notFound(.task) }
    return try await timeclock.startSegment(
      StartSegmentRequest(purpose: SegmentPurpose(taskID: id), startTime: time), by: caller)
  }

  /// Ends the timer of a task.
  ///
  /// - Parameter duration: The length that the device has counted, in milliseconds. It says when the timer was ended if
  ///   that was long ago, without a connection; else the end is now.
  /// - Throws: `TimerRefusal` if the timer of another task runs, and as `Timeclock.stopSegment` does.
  func stopIfSame(_ id: TaskID, after duration: Int64?) async throws {
    guard let running = try await running() else { return }
    guard running.purpose.taskID == id else { throw TimerRefusal.changed }
    var end: Instant?
    if let duration, duration > 0 {
      end = offlineEnd(of: running.startTime, after: duration, now: timeclock.clock.now)
    }
    _ = try await stop(id, at: end)
  }

  /// Moves the start of the timer of a task. If the timer has clocked its person in, the clock-in moves along.
  ///
  /// - Throws: `TimerRefusal` if it does not run; `.inFuture`, `.segmentOverlap`, and as `Timeclock.updateSegment` and
  ///   `Timeclock.updateTimeEntry` do.
  func updateStart(of id: TaskID, to start: Instant) async throws {
    guard let running = try await running() else { throw TimerRefusal("No active timer found to adjust") }
    guard running.purpose.taskID == id else { throw TimerRefusal.changed }
    let start = try await checkStart(start)
    if let entryID = running.timeEntryID {
      let entry = try await timeclock.timeEntry(entryID, for: caller)
      if entry.startedBy == .segment, entry.clockInTime == running.startTime {
        _ = try await timeclock.updateTimeEntry(
          entryID, TimeEntryChanges(clockInTime: start), reason: nil, expectedVersion: nil, by: caller)
      }
    }
    _ = try await timeclock.updateSegment(
      running.id, SegmentChanges(startTime: start), reason: nil, expectedVersion: nil, by: caller)
  }
}
