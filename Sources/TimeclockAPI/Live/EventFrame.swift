import TimeclockDomain

/// Events as text/event-stream writes them (html.spec.whatwg.org/multipage/server-sent-events.html).
enum EventFrame {
  /// The time after which a client connects again, in milliseconds.
  static let retry = Array("retry: 2000\n\n".utf8)

  /// The contract's Change, with its place as the event's id.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the log that it is of.
  ///   - now: The end of an active entry's `durationSeconds`.
  static func change(_ change: Change, of epoch: LogEpoch, at now: Instant) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    change.writeForFeed(to: &writer, at: now)
    return event("change", id: LogPlace(epoch: epoch, sequence: change.sequence), data: writer.bytes)
  }

  /// The contract's CurrentTimer. It has no id: it is no place in the log.
  static func timer(_ timer: CurrentTimer) -> [UInt8] {
    Array("event: timer\ndata: ".utf8) + timer.payload + Array("\n\n".utf8)
  }

  /// A sign of life that says how far the stream has come, so that a client that resumes does not look through more.
  static func keepAlive(through place: LogPlace) -> [UInt8] {
    Array(": keep-alive\nid: \(place.text)\n\n".utf8)
  }

  /// - Parameter data: One line of text.
  static func event(_ name: StaticString, id: LogPlace, data: [UInt8]) -> [UInt8] {
    Array("id: \(id.text)\nevent: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
