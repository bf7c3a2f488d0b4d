/// The random name of a log of changes, another one for each restore and each copy: sequence numbers of two logs with
/// different names may stand for different changes.
package struct LogEpoch: Hashable, Sendable {
  /// 16 digits of the hexadecimal system, in lower case.
  package let text: String

  /// The epoch that a client states; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 16,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = text
  }

  /// An epoch as a storage keeps it.
  package init(stored text: String) {
    self.text = text
  }

  /// The epoch of a log that could not be given one, for the disk was full: no client has it.
  package static let none = LogEpoch(stored: "0000000000000000")

  /// An epoch that no other log has.
  package static func random() -> LogEpoch {
    var random = SystemRandomNumberGenerator()
    let digits = String(random.next() as UInt64, radix: 16)
    return LogEpoch(stored: String(repeating: "0", count: 16 - digits.utf8.count) + digits)
  }
}

/// A place in an organization's log of changes, by its number and the log's epoch.
package struct LogPlace: Hashable, Sendable {
  package var epoch: LogEpoch
  /// The sequence number of the change; 0 before the first one.
  package var sequence: Int64

  package init(epoch: LogEpoch, sequence: Int64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// The place as one word, such as an id: the number, and the epoch behind a full stop.
  package var text: String { "\(sequence).\(epoch.text)" }
}

/// A place in a log after which a client knows nothing, as it states it.
package struct LogPosition: Hashable, Sendable {
  package var sequence: Int64
  /// The epoch of the log that the place is of; nil if the client does not state it.
  package var epoch: LogEpoch?

  package init(_ sequence: Int64, epoch: LogEpoch? = nil) {
    self.sequence = sequence
    self.epoch = epoch
  }

  /// Requires that a log has this position.
  ///
  /// - Parameter end: The log's last change.
  /// - Throws: `TimeclockError.positionUnknown` for a position in another log, or beyond the end.
  package func require(in end: LogPlace) throws {
    guard sequence <= end.sequence, epoch ?? end.epoch == end.epoch else {
      throw TimeclockError.positionUnknown
    }
  }
}

extension TimeclockError {
  package static let positionUnknown = TimeclockError.plain(
    PlainRefusal(
      "position_unknown", against: .past,
      "The log of changes does not have this position: it was restored or copied since. Read everything again."
    ))
}
