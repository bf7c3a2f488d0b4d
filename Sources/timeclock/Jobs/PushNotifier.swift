import Logging
import TimeclockAPI
import TimeclockDomain

/// Sends phones the changes of their members' clocks and timers, until it is stopped.
///
/// It looks at a member when something of theirs is announced, and at everybody once a minute, for announcements may be lost
/// and days begin. Several servers on one database do the same: of each phone one server sends. Nothing is sent while the clock
/// is in doubt, for a message may end a timer or a Live Activity.
struct PushNotifier: Sendable {
  private let task: Task<Void, Never>

  private static let tick = Duration.milliseconds(200)
  /// The ticks between two checks for due messages, of the logs of changes, and of everybody.
  private static let ticks = (due: 5, logs: 25, everybody: 300)
  /// The number of members served at once, and of messages under way.
  static let places = 8

  init(of timeclock: Timeclock, watch clockWatch: ClockWatch, via sender: any PushSending, logger: Logger) {
    task = Task {
      let watch = PushWatch(timeclock)
      let log = PushLog(logger)
      await withDiscardingTaskGroup { group in
        var count = 0
        while !Task.isCancelled {
          guard case .success(let now) = clockWatch.trusted() else {
            try? await Task.sleep(for: Self.tick * Self.ticks.due)
            continue
          }
          do {
            if count.isMultiple(of: Self.ticks.everybody) { try await watch.lookAtEverybody(at: now) }
            if count.isMultiple(of: Self.ticks.due) { try await watch.lookForDue(at: now) }
            if count.isMultiple(of: Self.ticks.logs) { watch.lookAtLogs() }
            try await watch.readLogs()
            log.works()
          } catch {
            log.failed(error)
          }
          for member in watch.takeReady(places: Self.places) {
            group.addTask {
              do {
                let (next, troubles) = try await timeclock.push(to: member, at: now, via: sender) {
                  content, target, now in
                  content.body(to: target, at: now)
                }
                for trouble in troubles { log.note(trouble) }
                watch.giveBack(member, next: next)
              } catch {
                if !Task.isCancelled { log.failed(error) }
                watch.giveBack(member, next: timeclock.clock.now.adding(milliseconds: 1_000))
              }
            }
          }
          count += 1
          try? await Task.sleep(for: Self.tick)
        }
        group.cancelAll()
      }
    }
  }

  /// Sends nothing more.
  func cancel() {
    task.cancel()
  }

  /// Sends nothing more, and waits for sends under way.
  func stop() async {
    task.cancel()
    await task.value
  }
}
