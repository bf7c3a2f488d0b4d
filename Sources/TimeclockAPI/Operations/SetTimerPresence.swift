import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Notes whether the caller's app is on the screen.
  static let setTimerPresence = Operation("setTimerPresence") { request in
    try request.requireNoQuery()
    let presence: TimerPresence = try request.body { $0.choice("state") ?? .foreground }
    let membership = try request.requireMembership()
    return try await request.once { outcome in
      .json(outcome.payload)
    } perform: { recording in
      try await request.timeclock.setTimerPresence(presence, by: membership, recording: recording)
    }
  }
}
