@testable import ContractDocument

/// Reads text/event-stream (the HTML standard, section 9.2), as this service writes it: one line of JSON as data.
enum EventReader {
  /// A block of the stream.
  struct Event: Equatable {
    var id: Int64?
    /// The epoch behind the number of its id.
    var epoch: String?
    var name: String?
    var data: JSONValue?
  }

  /// The blocks of a whole stream; nil if it is none: the last block does not end, a field is unknown or stands twice,
  /// an id is no number and epoch, or data is no JSON.
  static func events(of text: [UInt8]) -> [Event]? {
    let blocks = String(decoding: text, as: UTF8.self).split(
      separator: "\n\n", omittingEmptySubsequences: false)
    guard blocks.last?.isEmpty == true else { return nil }
    var events: [Event] = []
    for block in blocks.dropLast() {
      var event = Event()
      for line in block.split(separator: "\n", omittingEmptySubsequences: false) where !line.hasPrefix(":") {
        let parts = line.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "id" where event.id == nil:
          let place = parts[1].split(separator: ".", omittingEmptySubsequences: false)
          guard place.count == 2, let id = Int64(place[0]) else { return nil }
          (event.id, event.epoch) = (id, String(place[1]))
        case "event" where event.name == nil: event.name = String(parts[1])
        case "data" where event.data == nil:
          guard let data = try? JSONParser.parse(Array(parts[1].utf8)) else { return nil }
          event.data = data
        case "retry" where Int(parts[1]) != nil: break
        default: return nil
        }
      }
      events.append(event)
    }
    return events
  }
}
