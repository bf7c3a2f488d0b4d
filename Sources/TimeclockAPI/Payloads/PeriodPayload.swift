import HTTPMessages
import TimeclockDomain

extension PeriodState {
  /// Writes the members of the contract's PeriodState.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("userId", userID)
    writer.member("userName", userName)
    write(ends.submitted, "submittedThrough", "submittedUntil", to: &writer)
    write(ends.approved, "approvedThrough", "approvedUntil", to: &writer)
    write(ends.locked, "lockedThrough", "lockedUntil", to: &writer)
    writer.member("version", version)
  }

  private func write(
    _ end: PeriodEnd?, _ through: StaticString, _ until: StaticString, to writer: inout JSONWriter
  ) {
    writer.member(through, end?.through) { $0.date($1) }
    writer.member(until, end?.until)
  }
}

extension ReviewedPeriod {
  /// Writes the members of the contract's ReviewedPeriod.
  func writeMembers(to writer: inout JSONWriter) {
    state.writeMembers(to: &writer)
    writer.array("openPoints", openPoints) { writer, point in
      writer.object { writer in
        writer.member("code", point.code.rawValue)
        writer.member("date", point.date)
        writer.member("timeEntryId", point.timeEntryID)
      }
    }
    writer.member("approvedTotals", approval) { writer, approval in
      writer.object { approval.writeMembers(to: &$0) }
    }
  }
}

extension PeriodMoves {
  /// The contract's PeriodMoves.
  func answer(at now: Instant) -> HTTPResponse {
    .json(
      JSONWriter.object(capacity: 64 + refused.count * 320) { writer in
        writer.member("moved", Int64(moved))
        writer.member("unchanged", Int64(unchanged))
        writer.array("refused", refused) { writer, refusal in
          let problem = Problem(refusal.error, at: now)
          writer.object { writer in
            writer.member("userId", refusal.userID)
            writer.name("problem")
            problem.write(to: &writer)
          }
        }
      })
  }
}
