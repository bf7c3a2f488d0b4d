import Credentials
import SocketIO
import TimeclockDomain

extension TimerSocket {
  /// Handles the event of a message.
  ///
  /// - Parameter isRefused: Whether the client sends too much for it to have an effect.
  func handle(_ event: SocketConnection.Event, isRefused: Bool) async {
    switch event {
    case .nothing, .closed: return
    case .connected(let payload):
      guard case .object(let members)? = try? JSONParser.parse(payload) else { return }
      let reader = ObjectReader(members)
      if reader.has("token") { await authenticate(reader) }
    case .event(let payload, let acknowledgmentID):
      guard case .array(let elements)? = try? JSONParser.parse(payload),
        case .string(let name)? = elements.first
      else { return close() }
      var argument: [JSONValue.Member] = []
      if elements.count > 1, case .object(let members) = elements[1] { argument = members }
      await handle(name, ObjectReader(argument), isRefused: isRefused)
      if let acknowledgmentID { acknowledge(acknowledgmentID) }
    }
  }

  private func handle(_ name: String, _ argument: ObjectReader, isRefused: Bool) async {
    guard let action = TimerAction(name) else {
      // In the app's own service, clients announce changes to each other. Here the service announces stored changes.
      return
    }
    guard action != .authenticate else { return await authenticate(argument) }
    guard let timer else { return refuse(action, "Unauthorized") }
    do {
      guard !isRefused else { throw TimerRefusal("Too many events") }
      // A token that only reads may look.
      if isReadOnly, action != .requestState { throw TimeclockError.readOnlyToken }
      try await StorageDeadline.$current.withValue(StorageDeadline(StorageDeadline.ofRequest)) {
        try await timer.namingOverlaps { try await perform(action, argument, timer) }
      }
    } catch let refusal as TimerRefusal {
      refuse(action, refusal.sentence)
    } catch {
      refuse(action, Problem.timerSentence(for: error))
    }
  }

  private func refuse(_ action: TimerAction, _ sentence: String) {
    emit(
      "timer:error",
      JSONWriter.object { writer in
        writer.member("action", action.word)
        writer.member("message", sentence)
      })
  }

  private func perform(_ action: TimerAction, _ argument: ObjectReader, _ timer: TaskTimer) async throws {
    argument.ignoresUnknownMembers = true
    switch action {
    case .authenticate: return
    case .requestState:
      guard let running = try await timer.running() else { return }
      emit("timer:state", TimerAnnouncement.started(running, isState: true))
    case .start:
      let id: TaskID = argument.anyIdentifier("taskId")
      let start = argument.optionalInteger("startTime").map(Instant.init(millisecondsSince1970:))
      try argument.finish()
      let started = try await timer.start(id, at: start)
      // All devices, this one included, learn of it from the log. The log has nothing about a segment that was running
      // already.
      if !started.isNew { emit("timer:started", TimerAnnouncement.started(started.segment)) }
    case .stop:
      let id: TaskID = argument.anyIdentifier("taskId")
      let duration = argument.optionalInteger("duration")
      try argument.finish()
      try await timer.stopIfSame(id, after: duration)
    case .updateStart:
      let id: TaskID = argument.anyIdentifier("taskId")
      let start = Instant(millisecondsSince1970: argument.integer("newStartTime"))
      try argument.finish()
      try await timer.updateStart(of: id, to: start)
    }
  }

  /// Finds out whose connection it is; ends it if that cannot be found out.
  private func authenticate(_ argument: ObjectReader) async {
    guard timer == nil else { return }
    guard takeAttempt() else { return close() }
    do {
      argument.ignoresUnknownMembers = true
      let (token, organization) = (argument.string("token"), argument.optionalString("organizationID"))
      try argument.finish()
      let digest = BearerToken.digest(of: token)
      let (found, authentication) = try await TaskTimer.find(
        digest, namedOrganization: organization, in: context.timeclock)
      let caller = found.caller
      let view = ChangeView(of: caller, asSeenBy: caller.userID, resources: [.task, .segment])
      let listener = LiveListener(
        access: LiveAccess(
          timeclock: context.timeclock, token: digest, organizationID: caller.organizationID,
          role: caller.role, sight: caller.sight),
        until: nil, onEnd: { [weak self] in self?.close() },
        .handedOver { [weak self] live in
          guard let self, let shown = view.shown(live.change) else { return }
          for announcement in TimerAnnouncement.all(of: shown, for: caller.userID) {
            emit(announcement.name, announcement.argument)
          }
        })
      let seat = try await context.liveFeeds.join(
        caller.key.organization, with: listener, at: .socket(authentication))
      guard begin(found, token: digest, isReadOnly: authentication.isReadOnly, seat: seat) else { return }
      emit("auth:success", JSONWriter.object { $0.member("userId", caller.userID) })
    } catch {
      emit("auth:error", JSONWriter.object { $0.member("message", Problem.timerSentence(for: error)) })
      close()
    }
  }
}

/// An event of a client that has an effect.
private enum TimerAction: String {
  case authenticate
  case start = "timer:start"
  case stop = "timer:stop"
  case requestState = "timer:request-state"
  case updateStart = "timer:update-start"

  init?(_ name: String) {
    self.init(word: name)
  }

  /// The word by which refusals name it.
  var word: String { rawValue.split(separator: ":").last.map(String.init) ?? rawValue }
}
