import HTTPMessages
import Procedures
import TimeclockDomain

/// The outcome of several entries that were entered together.
enum BulkPayload {
  /// The contract's BulkOutcome.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  static func outcomes(
    _ outcomes: [Result<TimeEntry, TimeclockError>], of requests: [ManualEntryRequest], at now: Instant
  ) -> [UInt8] {
    Self.outcomes(outcomes, "timeEntry", at: now) { writer, index, entry in
      entry.write(to: &writer, at: now, clockAhead: requests[index].clockAhead(of: entry))
    }
  }

  /// The outcome of each of several things that were made together.
  ///
  /// - Parameters:
  ///   - name: The member with one that is kept.
  ///   - write: Writes one that is kept, with its place.
  static func outcomes<Value>(
    _ outcomes: [Result<Value, TimeclockError>], _ name: String, at now: Instant,
    _ write: (inout JSONWriter, Int, Value) -> Void
  ) -> [UInt8] {
    let created = outcomes.count { if case .success = $0 { true } else { false } }
    return JSONWriter.object(capacity: 64 + outcomes.count * 600) { writer in
      writer.member("created", Int64(created))
      writer.member("refused", Int64(outcomes.count - created))
      writer.name("results")
      writer.array(outcomes.enumerated()) { writer, result in
        switch result.element {
        case .success(let value):
          writer.object { writer in
            writer.member("index", Int64(result.offset))
            writer.member("status", Int64(HTTPStatus.created.code))
            writer.name(text: name)
            write(&writer, result.offset, value)
          }
        case .failure(let error):
          BulkRefusal(index: result.offset, error: error).write(to: &writer, at: now)
        }
      }
    }
  }
}

extension BulkRefusal {
  /// Writes the contract's BulkRefusal: the problem that `createTimeEntry` would have answered.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  func write(to writer: inout JSONWriter, at now: Instant) {
    let problem = Problem(error, at: now)
    writer.object { writer in
      writer.member("index", Int64(index))
      if let line { writer.member("line", Int64(line)) }
      writer.member("status", Int64(problem.status.code))
      writer.name("problem")
      problem.write(to: &writer)
    }
  }
}
