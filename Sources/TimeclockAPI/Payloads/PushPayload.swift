import Procedures
import TimeclockDomain

extension PushContent {
  /// The message as the phone gets it (developer.apple.com/documentation/activitykit, "Starting and updating Live Activities
  /// with ActivityKit push notifications").
  ///
  /// - Parameter now: The time of the content: a phone ignores content older than its own.
  package func body(to target: PushTarget, at now: Instant) -> PushBody {
    let whole = body(to: target, at: now, cutting: nil)
    guard whole.bytes.count > Self.byteLimit else { return whole }
    return body(to: target, at: now, cutting: Self.cutLength)
  }

  /// The most bytes that Apple takes.
  static let byteLimit = 4_096
  /// The characters that are left of each text if they are too many.
  private static let cutLength = 60

  private func body(to target: PushTarget, at now: Instant, cutting length: Int?) -> PushBody {
    let dates = target.dates
    func text(_ members: [LiveActivityMember]) -> [UInt8] {
      var writer = JSONWriter()
      writer.object(members.map { $0.cut(to: length) }, dates)
      return writer.bytes
    }
    var content: [UInt8]?
    let bytes = JSONWriter.object(capacity: 1_024) { writer in
      writer.name("aps")
      writer.object { writer in
        if case .alert(let end) = self {
          writer.member("alert", end.alert)
          writer.member("sound", "default")
          return
        }
        writer.member("timestamp", now.millisecondsSince1970 / 1_000)
        switch self {
        case .start(let activity, let alert):
          writer.member("event", "start")
          writer.member("content-state", json: text(activity.state))
          writer.staleDate(activity)
          writer.member("attributes-type", target.shownAttributesType ?? "")
          writer.member("attributes", json: text(activity.attributes))
          writer.member("alert", alert.cut(to: length))
        case .update(let activity, _):
          let state = text(activity.state)
          content = state
          writer.member("event", "update")
          writer.member("content-state", json: state)
          writer.staleDate(activity)
        case .end(let last, let dismissal):
          writer.member("event", "end")
          if let last { writer.member("content-state", json: Array(last.utf8)) }
          // A time that has passed takes it away at once.
          if dismissal == .immediate { writer.member("dismissal-date", now.millisecondsSince1970 / 1_000) }
        case .alert: break
        }
      }
    }
    return PushBody(bytes: bytes, content: content.map { String(decoding: $0, as: UTF8.self) })
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, json bytes: [UInt8]) {
    self.name(name)
    json(bytes)
  }

  fileprivate mutating func member(_ name: StaticString, _ alert: PushAlert) {
    self.name(name)
    object { writer in
      writer.member("title", alert.title)
      writer.member("body", alert.body)
    }
  }

  /// The service's own dates are seconds since 1970, unlike the content's.
  fileprivate mutating func staleDate(_ content: LiveActivityContent) {
    if let time = content.staleDate { member("stale-date", time.millisecondsSince1970 / 1_000) }
  }
}

extension LiveActivityMember {
  fileprivate func cut(to length: Int?) -> LiveActivityMember {
    guard let length, case .text(let text) = value else { return self }
    var member = self
    member.value = .text(text.cut(to: length))
    return member
  }
}

extension PushAlert {
  fileprivate func cut(to length: Int?) -> PushAlert {
    length.map { PushAlert(title: title.cut(to: $0), body: body.cut(to: $0)) } ?? self
  }
}

extension String {
  fileprivate func cut(to length: Int) -> String {
    unicodeScalars.count > length ? String(unicodeScalars.prefix(length)) + "…" : self
  }
}
