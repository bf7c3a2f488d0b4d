import HTTPMessages
import TimeclockDomain

extension Problem {
  /// Makes the answer to a request that was understood and refused.
  init(_ error: TimeclockError, at now: Instant) {
    self.init(status: error.status, code: error.code, detail: error.detail)
    switch error {
    case .invalidToken, .invalidCredentials:
      fields = [Self.challenge]
    case .unavailable(let retryAfterSeconds), .tooManyAttempts(let retryAfterSeconds),
      .tooManyAtOnce(let retryAfterSeconds):
      fields = [("Retry-After", String(retryAfterSeconds))]
    case .readOnlyInstance:
      // Another instance may do it at once; the same one never does.
      fields = [("Retry-After", "60")]
    case .organizationMoving:
      fields = [("Retry-After", "5")]
    case .organizationMoved(let address):
      writeExtensions = { $0.member("address", address) }
    case .alreadyClockedIn(let active):
      writeExtensions = { writer in
        writer.name("activeTimeEntry")
        active.write(to: &writer, at: now)
      }
    case .overlap(let entries, let count):
      writeExtensions = { writer in
        writer.member("count", Int64(count))
        writer.array("overlaps", entries) { $1.write(to: &$0, at: now) }
      }
    case .segmentOverlap(let segments, let count):
      writeExtensions = { writer in
        writer.member("count", Int64(count))
        writer.array("overlappingSegments", segments) { $1.write(to: &$0, at: now) }
      }
    case .absenceOverlap(let absences, let count):
      writeExtensions = { writer in
        writer.member("count", Int64(count))
        writer.array("overlappingAbsences", absences) { $1.write(to: &$0) }
      }
    case .clockedOutLater(let end, let entries, let count):
      writeExtensions = { writer in
        writer.member("clockOutTime", end)
        writer.member("count", Int64(count))
        writer.array("overlaps", entries) { $1.write(to: &$0, at: now) }
      }
    case .bulkRefused(let refusals, _):
      writeExtensions = { writer in
        writer.array("results", refusals) { $1.write(to: &$0, at: now) }
      }
    case .changed(let current):
      fields = [("ETag", EntityTag.text(version: current.version))]
      writeExtensions = { writer in
        writer.name("current")
        current.write(to: &writer, at: now)
      }
    case .timerConflict(_, let timer):
      writeExtensions = { writer in
        writer.name("timer")
        timer.write(to: &writer, at: now)
      }
    case .timerChanged(.timer(let timer)):
      writeExtensions = { writer in
        writer.name("current")
        timer.write(to: &writer, at: now)
      }
    case .timerChanged(.settings(let settings)):
      fields = [("ETag", EntityTag.text(version: settings.version))]
      writeExtensions = { writer in
        writer.name("current")
        settings.write(to: &writer)
      }
    case .sessionInUse(let count), .projectInUse(let count), .taskInUse(let count):
      writeExtensions = { $0.member("count", Int64(count)) }
    case .periodLocked(let mark, let count):
      writeExtensions = { writer in
        writer.name("mark")
        writer.object { writer in
          writer.member("kind", mark.kind.rawValue)
          writer.member("through", mark.through)
        }
        if let count { writer.member("count", Int64(count)) }
      }
    default:
      break
    }
  }
}

extension TimeclockError {
  /// The one table from refusal to status.
  var status: HTTPStatus {
    switch self {
    case .invalidToken, .invalidCredentials:
      .unauthorized
    case .wrongPassword, .forbidden, .callerDeactivated, .sessionNotAssigned, .editWindowClosed:
      .forbidden
    case .notFound:
      .notFound
    case .alreadyClockedIn, .notClockedIn, .overlap, .segmentOverlap, .absenceOverlap, .clockedOutLater,
      .entryActive,
      .memberDeactivated,
      .memberExists,
      .emailInUse,
      .lastAdmin, .memberActive, .memberAnonymized, .accountShared, .sessionInUse, .projectInUse, .taskInUse,
      .requestInProgress, .timerConflict, .periodLocked:
      .conflict
    case .changed, .timerChanged:
      .preconditionFailed
    case .sessionNotFound, .notesTooLong, .notesInvalid, .reasonInvalid, .reasonRequired, .inFuture,
      .endNotAfterStart,
      .tooLong, .tooShort, .tooFarBack, .daysTooFarBack, .bulkRefused, .invalidDateRange, .reportTooLong,
      .reportInFuture,
      .unknownTimeZone, .invalidName,
      .invalidEmail,
      .invalidPassword, .passwordTooCommon,
      .passwordUnchanged, .invalidPolicy, .invalidTimerSettings, .invalidExpiry,
      .idempotencyKeyReused:
      .unprocessableContent
    case .plain(let refusal):
      switch refusal.obstacle {
      case .rule: .unprocessableContent
      case .state: .conflict
      case .absence: .notFound
      case .permission: .forbidden
      case .past: .gone
      }
    case .tooManyAttempts, .tooManyAtOnce:
      .tooManyRequests
    case .unavailable, .readOnlyInstance, .organizationMoving:
      .serviceUnavailable
    case .organizationMoved:
      .misdirectedRequest
    case .storageFull:
      .insufficientStorage
    }
  }
}
