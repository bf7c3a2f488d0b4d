import Cryptography
import Procedures
import TimeclockDomain

extension Operation {
  /// Applies punches that a client noted while offline.
  static let applyPunches = Operation("applyPunches") { request in
    try request.requireNoQuery()
    let (userID, read) = try request.body { body in
      (
        body.optionalIdentifier("userId") as UserID?,
        body.objectsOneByOne("punches", count: 1...Punch.maximumCount) { $0.punch() }
      )
    }
    let caller = try request.requireMembership()
    try request.rowCharge?.take(rows: read.count)
    let punches = read.filter(\.faults.isEmpty).map(\.value)
    let subject = userID ?? caller.userID
    var outcomes = try await request.timeclock.applyPunches(
      punches, of: userID, by: caller,
      names: PunchNames {
        $0.key(of: subject, by: caller)
      } waiting: {
        caller.waitingPunches(of: subject, change: $0)
      })[...]
    let now = request.timeclock.clock.now
    return .json(
      JSONWriter.object(capacity: 64 + read.count * 300) { writer in
        writer.name("results")
        writer.array(read) { writer, one in
          if one.faults.isEmpty, let outcome = outcomes.popFirst() {
            outcome.write(of: one.value.id, to: &writer, at: now)
          } else {
            Problem(RequestError.invalidBody(one.faults)).write(asRefusalOf: one.value.id, to: &writer)
          }
        }
      })
  }
}

extension ObjectReader {
  /// The contract's PunchRequest.
  fileprivate func punch() -> Punch {
    let kind: Punch.Kind? = choice("type")
    let punch = Punch(
      id: punchID(), kind: kind ?? .clockIn, time: instant("at"), timeZone: optionalString("timeZone"),
      sessionID: optionalIdentifier("sessionId"), notes: optionalString("notes"),
      purpose: SegmentPurpose(
        projectID: optionalIdentifier("projectId"), taskID: optionalIdentifier("taskId"),
        breakTypeID: optionalIdentifier("breakTypeId")), name: optionalString("name"))
    switch kind {
    case .clockIn:
      refuseOthers(punch.purpose.breakTypeID != nil, "breakTypeId")
      refuseOthers(punch.name != nil, "name")
    case .clockOut:
      refuseBeginnings(punch)
      refuseOthers(punch.name != nil, "name")
    case .startSegment:
      if punch.purpose == SegmentPurpose() {
        refuse(
          "projectId", code: "missing", "is missing, and so are taskId and breakTypeId: state what it is for")
      }
      refuseBreakBesideWork(punch.purpose)
      refuseOthers(punch.sessionID != nil, "sessionId")
      refuseOthers(punch.notes != nil, "notes")
    case .stopSegment:
      refuseBeginnings(punch)
      refuseOthers(punch.name != nil, "name")
      refuseOthers(punch.notes != nil, "notes")
    case nil: break
    }
    return punch
  }

  /// The id of the client's own.
  private func punchID() -> PunchID {
    let text = string("id")
    if let id = PunchID(text) { return id }
    refuse("id", code: "invalid", "must be a UUID")
    return PunchID.none
  }

  /// Refuses members that only the beginning of something may have.
  private func refuseBeginnings(_ punch: Punch) {
    refuseOthers(punch.timeZone != nil, "timeZone")
    refuseOthers(punch.sessionID != nil, "sessionId")
    refuseOthers(punch.purpose.projectID != nil, "projectId")
    refuseOthers(punch.purpose.taskID != nil, "taskId")
    refuseOthers(punch.purpose.breakTypeID != nil, "breakTypeId")
  }

  private func refuseOthers(_ isThere: Bool, _ name: String) {
    if isThere { refuse(name, code: "conflict", "is not allowed in a punch of this type") }
  }
}

extension Punch {
  /// The name under which the punch of a member is remembered: another member's with the same id is another one.
  fileprivate func key(of userID: UserID, by caller: Membership) -> PunchKey {
    var content = id.name(of: userID, in: caller.organizationID)
    let parts = [
      kind.rawValue, String(time.millisecondsSince1970), timeZone, sessionID?.text, notes,
      purpose.projectID?.text,
      purpose.taskID?.text, purpose.breakTypeID?.text, self.name,
    ]
    for part in parts {
      // No text holds byte 255.
      content += [0xFF] + (part.map { Array($0.utf8) } ?? [0xFF])
    }
    return PunchKey(key: id.key(of: userID, by: caller), fingerprint: SHA256.hash(content))
  }
}

extension PunchID {
  /// The name under which a punch with this id is remembered of a member.
  func key(of userID: UserID, by caller: Membership) -> IdempotencyKey {
    IdempotencyKey(
      digest: SHA256.hash(name(of: userID, in: caller.organizationID)), user: caller.key.user)
  }

  fileprivate func name(of userID: UserID, in organizationID: OrganizationID) -> [UInt8] {
    var name: [UInt8] = Array("punch".utf8)
    for id in [organizationID.text, userID.text, text] { name += [0] + Array(id.utf8) }
    return name
  }
}

extension Membership {
  /// The digest of the name that stores the waiting punches of a member of the same organization, or of a change of
  /// that.
  fileprivate func waitingPunches(of userID: UserID, change: Int64?) -> [UInt8] {
    var name: [UInt8] = Array("waiting punches".utf8)
    for text in [organizationID.text, userID.text] + (change.map { ["\($0)"] } ?? []) {
      name += [0] + Array(text.utf8)
    }
    return SHA256.hash(name)
  }
}

extension PunchOutcome {
  /// Writes the contract's PunchResult.
  fileprivate func write(of id: PunchID, to writer: inout JSONWriter, at now: Instant) {
    writer.object { writer in
      writer.member("id", id.text)
      switch self {
      case .applied(let effect): effect.write("applied", to: &writer)
      case .duplicate(let effect): effect.write("duplicate", to: &writer)
      case .proposed(let effect): effect.write("proposed", to: &writer)
      case .waiting(let error): Problem(error, at: now).write(as: "waiting", to: &writer)
      case .refused(let error): Problem(error, at: now).write(as: "refused", to: &writer)
      }
    }
  }
}

extension Problem {
  /// Writes the contract's PunchResult of a punch that was not understood; one without an id that is a UUID has an empty one.
  fileprivate func write(asRefusalOf id: PunchID, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id == .none ? "" : id.text)
      write(as: "refused", to: &writer)
    }
  }

  fileprivate func write(as status: String, to writer: inout JSONWriter) {
    writer.member("status", status)
    writer.member("timeEntryId", nil as TimeEntryID?)
    writer.member("segmentId", nil as SegmentID?)
    writer.name("problem")
    write(to: &writer)
  }
}

extension PunchEffect {
  fileprivate func write(_ status: String, to writer: inout JSONWriter) {
    writer.member("status", status)
    writer.member("timeEntryId", timeEntryID)
    writer.member("segmentId", segmentID)
    writer.member("problem", nil as String?)
    if !dropped.isEmpty { writer.array("dropped", dropped) { $0.string($1.rawValue) } }
    if let correctionID { writer.member("correctionId", correctionID) }
    if clockAhead > 0 { writer.member("clockAheadMilliseconds", clockAhead) }
  }
}
