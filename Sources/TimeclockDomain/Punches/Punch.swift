/// The id of a punch, a UUID of any version, which a client makes.
package struct PunchID: Hashable, Sendable {
  /// In lower case.
  package let text: String

  /// Reads an id; nil for text that is no UUID (RFC 9562, section 4).
  package init?(_ text: String) {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.allSatisfy({ $0.allSatisfy(Self.isDigit) }) else {
      return nil
    }
    self.text = text.lowercased()
  }

  /// The id of no punch (RFC 9562, section 5.9).
  package static let none = PunchID(nil: ())

  private init(nil: Void) {
    text = "00000000-0000-0000-0000-000000000000"
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}

/// Something that a client noted while offline: a clock-in, a clock-out, a beginning or an end of work on something.
package struct Punch: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case clockIn
    case clockOut
    case startSegment
    case stopSegment
  }

  package var id: PunchID
  package var kind: Kind
  /// The time by the client's clock.
  package var time: Instant
  package var timeZone: String?
  package var sessionID: SessionID?
  package var notes: String?
  /// The work that a clock-in or a segment is for.
  package var purpose: SegmentPurpose
  /// The name of a segment.
  package var name: String?

  package init(
    id: PunchID, kind: Kind, time: Instant, timeZone: String? = nil, sessionID: SessionID? = nil,
    notes: String? = nil, purpose: SegmentPurpose = SegmentPurpose(), name: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.time = time
    self.timeZone = timeZone
    self.sessionID = sessionID
    self.notes = notes
    self.purpose = purpose
    self.name = name
  }

  /// The time for which a punch is remembered once it was applied: 90 days, in milliseconds. No older ones are entered by
  /// hand: a device whose clock was reset would have worked in 1970.
  package static let memory: Int64 = 90 * 86_400_000
  /// The most punches of one request.
  package static let maximumCount = 100
}

/// The entry and the segment that a punch was applied to.
package struct PunchEffect: Hashable, Sendable {
  package var timeEntryID: TimeEntryID?
  package var segmentID: SegmentID?
  /// The correction that proposes its span, of which nothing is applied yet; nil of a punch that was applied.
  package var correctionID: CorrectionID?
  /// Members of the punch that mean nothing any more, each once, in the order of all.
  package var dropped: [PunchDetail] {
    didSet { dropped = Self.inOrder(dropped) }
  }
  /// The milliseconds by which the punch's time lay ahead of the time that was kept. It is not remembered.
  package var clockAhead: Int64

  package init(
    timeEntryID: TimeEntryID?, segmentID: SegmentID? = nil, correctionID: CorrectionID? = nil,
    dropped: [PunchDetail] = [], clockAhead: Int64 = 0
  ) {
    self.timeEntryID = timeEntryID
    self.segmentID = segmentID
    self.correctionID = correctionID
    self.dropped = Self.inOrder(dropped)
    self.clockAhead = clockAhead
  }

  private static func inOrder(_ dropped: [PunchDetail]) -> [PunchDetail] {
    PunchDetail.allCases.filter(dropped.contains)
  }
}

/// The fate of a punch.
package enum PunchOutcome: Sendable {
  case applied(PunchEffect)
  /// It was applied before.
  case duplicate(PunchEffect)
  /// A correction proposes the span that it is of, now or since it came before: marks on the member's time bind it.
  case proposed(PunchEffect)
  /// It could not be applied, for this reason, and is kept until its clock-out comes: then both are, and all between them.
  case waiting(TimeclockError)
  case refused(TimeclockError)
}

/// The name under which a punch is remembered, and the fingerprint that distinguishes it from another of the same id.
package struct PunchKey: Sendable {
  package var key: IdempotencyKey
  /// 32 bytes.
  package var fingerprint: [UInt8]

  package init(key: IdempotencyKey, fingerprint: [UInt8]) {
    self.key = key
    self.fingerprint = fingerprint
  }
}

extension PunchKey {
  /// Has a write remember the punch in its transaction.
  ///
  /// - Parameters:
  ///   - others: The keys of punches that the same write applies, and their effects.
  ///   - memory: The effects of the write, and the rows to take it back.
  package func recording<Value>(
    at now: Instant, with others: [(key: PunchKey, effect: @Sendable (Value) -> PunchEffect)] = [],
    _ memory: @escaping @Sendable (Value) -> PunchMemory
  ) -> AnswerRecording<Value> {
    var recording = AnswerRecording<Value>(key: key, time: now) { [self] in remembering(memory($0).bytes) }
    recording.lifetime = Punch.memory
    recording.others = others.map { other in
      AnswerRecording<Value>.Other(key: other.key.key, fingerprint: other.key.fingerprint) {
        other.key.remembering(PunchMemory(effect: other.effect($0), appliedAt: now, rows: nil).bytes)
      }
    }
    return recording
  }

  /// The answer that keeps these bytes under the fingerprint of the key.
  package func remembering(_ bytes: [UInt8]) -> RecordedAnswer {
    RecordedAnswer(
      fingerprint: fingerprint, salt: nil, status: 200, entityTag: nil, location: nil, body: bytes)
  }

  /// The outcome that is remembered.
  package func outcome(_ answer: RecordedAnswer) -> PunchOutcome {
    guard answer.fingerprint == fingerprint else { return .refused(.idempotencyKeyReused) }
    let effect = PunchMemory(answer.body).effect
    return effect.correctionID == nil ? .duplicate(effect) : .proposed(effect)
  }
}
