import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Sends changes as they happen.
  static let streamEvents = Operation("streamEvents") { request in
    let (userID, groupID, kinds, after, epoch, seconds) = try request.query { query in
      query.refuse("groupId", beside: "userId")
      return (
        query.identifier("userId") as UserID?, query.identifier("groupId") as GroupID?,
        query.choices("resources", atMost: Snapshot.Kind.allCases.count) as [Snapshot.Kind]?,
        query.sequence("after"), query.epoch("epoch"), query.seconds("seconds")
      )
    }
    let last = try request.lastEventID()
    try request.requireNoBody()
    let caller = try request.requireMembership()
    let view = try await request.timeclock.changeView(
      of: caller, ofGroup: groupID, asSeenBy: userID,
      resources: kinds.map(Set.init) ?? Set(Snapshot.Kind.allCases))
    let stream = try await EventStream(
      request, of: userID, seeing: view, after: last ?? after.map { LogPosition($0, epoch: epoch) },
      seconds: seconds)
    return stream.response
  }
}

extension QueryReader {
  /// Takes a length of time from nothing to an hour.
  fileprivate func seconds(_ name: String) -> Int? {
    value(name, "an integer from 0 to 3600") { text in
      guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let seconds = Int(text), seconds <= 3_600
      else { return nil }
      return seconds
    }
  }
}

extension OperationRequest {
  /// The id of the last event that a client which resumes has got; nil for none.
  ///
  /// - Throws: `RequestError.invalidParameter`.
  fileprivate func lastEventID() throws -> LogPosition? {
    let values = http.fields.values(of: "Last-Event-ID").filter { !$0.isEmpty }
    guard let value = values.first else { return nil }
    guard values.count == 1, let position = LogPosition(eventID: value) else {
      throw RequestError.invalidParameter([
        ProblemDetail(
          place: .header, location: "Last-Event-ID", code: "invalid", detail: "must be the id of an event")
      ])
    }
    return position
  }
}

extension LogPosition {
  /// The position in the id of an event: the number, and behind a full stop the epoch, which ids of former versions
  /// lack; nil for any other text.
  fileprivate init?(eventID: String) {
    let parts = eventID.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let digits = parts.first, (1...16).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let sequence = Int64(digits)
    else { return nil }
    guard parts.count == 2 else {
      self.init(sequence)
      return
    }
    guard let epoch = LogEpoch(String(parts[1])) else { return nil }
    self.init(sequence, epoch: epoch)
  }
}

/// The content of one stream: the state at its beginning, the changes that a resuming client has missed, and then new
/// ones.
private struct EventStream: Sendable {
  private let seat: LiveFeeds.Seat
  /// Announces the caller's timer; nil if the stream is about another member, because a timer is its member's alone,
  /// and for an API token.
  private let timerFeed: TimerFeed?
  private let timeclock: Timeclock
  private let organization: OrganizationKey
  private let view: ChangeView
  /// The change after which the client knows nothing.
  private let start: LogPlace
  private let snapshot: [UInt8]
  private let endsAtOnce: Bool

  /// The changes that a client which resumes is sent at once: for one that does not read, no more is in memory.
  private static let pageLimit = 50

  /// - Parameter seconds: The time after which the stream ends; nil for never.
  init(
    _ request: OperationRequest, of userID: UserID?, seeing view: ChangeView, after stated: LogPosition?,
    seconds: Int?
  ) async throws {
    let caller = try request.requireMembership()
    timeclock = request.timeclock
    organization = caller.key.organization
    self.view = view
    endsAtOnce = seconds == 0
    var known: LogPlace?
    if let stated {
      let end = try await timeclock.storage.logEnd(of: organization)
      try stated.require(in: end)
      known = LogPlace(epoch: end.epoch, sequence: stated.sequence)
    }
    let listener = LiveListener(
      access: try request.liveAccess(as: caller), until: seconds.map { .now + .seconds($0) },
      .taken { live in view.shown(live.change).map(live.frame) })
    // From here on nothing is missed: changes in the snapshot may come once more.
    seat = try await request.context.liveFeeds.join(
      organization, with: listener, at: .stream(request.requireAuthentication()))
    start = known ?? seat.position
    let clock = try await timeclock.clock(of: userID, for: caller)
    var timer: CurrentTimer?
    // An admin made the API token, so it must not show the timer either.
    if userID == nil || userID == caller.userID, try request.requireAuthentication().scope == nil {
      (timerFeed, timer) = try await TimerFeed.begin(for: caller, telling: listener, timeclock)
    } else {
      timerFeed = nil
    }
    snapshot = EventFrame.event(
      "snapshot", id: start,
      data: JSONWriter.object(capacity: 3_072) { [start, timer] writer in
        writer.member("clock", clock) { $1.write(to: &$0) }
        writer.member("timer", timer) { $1.write(to: &$0, at: $1.time) }
        writer.member("nextAfter", start.sequence)
        writer.member("epoch", start.epoch.text)
      })
  }

  var response: HTTPResponse {
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.fields(contentType: "text/event-stream"), body: .stream(write))
    // nginx collects an answer before it hands it on, unless this field forbids it.
    response.fields.append("X-Accel-Buffering", "no")
    return response
  }

  private func write(to body: any HTTPBodyWriter) async throws {
    let (listener, feed) = (seat.listener, seat.feed)
    listener.canBeCut { body.cut() }
    defer { listener.canBeCut(by: nil) }
    try await body.write(EventFrame.retry + snapshot)
    try await writeMissed(to: body)
    guard !endsAtOnce else { return }
    while let bytes = try await listener.next(from: feed) {
      try await body.write(bytes)
      // Output that a client does not read stays in the ring, where it is held once for all listeners.
      try await body.waitUntilSent()
    }
  }

  /// Writes the changes that the client has missed, as long as the stream is open: up to its beginning if it ends at
  /// once, else up to the feed's ring, from which the listener takes the rest.
  private func writeMissed(to body: any HTTPBodyWriter) async throws {
    var after = start
    while !seat.listener.isOver,
      endsAtOnce
        ? after.sequence < seat.position.sequence
        : !seat.feed.haveTake(seat.listener, after: after.sequence)
    {
      let reached = seat.feed.startOfRing
      let feed = try await timeclock.changes(
        of: organization, after: after, limit: Self.pageLimit, seeing: view)
      guard feed.nextAfter > after.sequence else {
        // The log's changes after this place are not for the listener.
        if endsAtOnce { return }
        after.sequence = max(after.sequence, reached)
        continue
      }
      after.sequence = feed.nextAfter
      try await body.write(missed(in: feed))
      try await body.waitUntilSent()
    }
  }

  /// The events of a page.
  ///
  /// A function of its own on the thread's stack: a task keeps the room of all that its functions may need, for as long as
  /// the stream stands.
  @inline(never)
  private func missed(in feed: ChangeFeed) -> [UInt8] {
    let now = timeclock.clock.now
    return feed.changes.flatMap { EventFrame.change($0, of: feed.epoch, at: now) }
  }
}
