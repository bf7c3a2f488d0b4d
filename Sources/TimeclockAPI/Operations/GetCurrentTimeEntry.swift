import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Returns whether a member is clocked in, and since when.
  static let getCurrentTimeEntry = Operation("getCurrentTimeEntry") { request in
    let userID: UserID? = try request.query { $0.identifier("userId") }
    try request.requireNoBody()
    let membership = try request.requireMembership()
    let current = try await CurrentTimeEntry(of: userID, for: membership, in: request.timeclock)
    return .tagged(capacity: 1_024) { current.writeMembers(to: &$0) }
  }
}

/// The answer to whether a member is clocked in.
struct CurrentTimeEntry {
  private let entry: TimeEntry?
  private let allowance: TimeEntryAllowance?
  private let time: Instant

  /// - Parameter userID: The member; nil for the caller.
  init(of userID: UserID?, for caller: Membership, in timeclock: Timeclock) async throws {
    entry = try await timeclock.currentTimeEntry(of: userID, for: caller)
    time = timeclock.clock.now
    allowance = entry.map { timeclock.allowance(of: $0, for: caller) }
  }

  /// Writes the members of the contract's CurrentTimeEntry.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("status", (entry?.status ?? .clockedOut).rawValue)
    writer.member("timeEntry", entry) { $1.write(to: &$0, at: time) }
    writer.member("allowed", allowance) { $1.write(to: &$0, at: time) }
    writer.member("serverTime", now: time)
  }
}

extension TimeEntryAllowance {
  /// Writes the contract's TimeEntryAllowance.
  fileprivate func write(to writer: inout JSONWriter, at now: Instant) {
    writer.object { writer in
      writer.member("edit", editableUntil.map { now <= $0 } ?? true)
      writer.member("editUntil", editableUntil)
      writer.member("cancel", cancelableUntil.map { now <= $0 } ?? true)
      writer.member("cancelUntil", cancelableUntil)
    }
  }
}
