import Logging
import Procedures
import TimeclockAPI
import TimeclockDomain

/// Sends phones the changes of their members' clocks and timers.
///
/// It looks at a member when something of theirs is announced, and at everybody once a minute, for announcements may be lost
/// and days begin. Several servers on one database do the same: of each phone one server sends. Nothing is sent while the clock
/// is in doubt, for a message may end a timer or a Live Activity.
struct PushNotifier: Sendable {
  let worker: Worker

  private static let tick = Duration.milliseconds(200)
  /// The ticks between two checks for due messages, of the logs of changes, and of everybody.
  private static let ticks = (due: 5, logs: 25, everybody: 300)
  /// The number of members served at once, and of messages under way.
  static let places = 8

  init(of timeclock: Timeclock, watch clockWatch: ClockWatch, via sender: any PushSending, logger: Logger) {
    let watch = PushWatch(timeclock)
    let log = PushLog(logger)
    var count = 0
    worker = Worker { group in
      guard case .success(let now) = clockWatch.trusted() else { return Self.tick * Self.ticks.due }
      _ = await log.outage.note {
        if count.isMultiple(of: Self.ticks.everybody) { try await watch.lookAtEverybody(at: now) }
        if count.isMultiple(of: Self.ticks.due) { try await watch.lookForDue(at: now) }
        if count.isMultiple(of: Self.ticks.logs) { watch.lookAtLogs() }
        try await watch.readLogs()
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
            if !Task.isCancelled { log.outage.begin(error) }
            watch.giveBack(member, next: timeclock.clock.now.adding(milliseconds: 1_000))
          }
        }
      }
      count += 1
      return Self.tick
    }
  }
}
