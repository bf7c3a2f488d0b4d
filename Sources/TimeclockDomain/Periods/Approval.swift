/// The public id of an approval.
package typealias ApprovalID = Identifier<Approval>

/// The totals of a member's dates at the time when they were approved. It never changes, and stays when the approval is
/// taken back. All totals are seconds.
package struct Approval: ShapedRecord {
  package var head: Head<Approval>
  /// The member; none only before the record is filled.
  package var userID: UserID?
  /// The first date.
  package var from = LocalDate.earliest
  /// The last date.
  package var through = LocalDate.earliest
  /// The person who approved; none only before the record is filled.
  package var approvedBy: UserID?
  package var plannedSeconds: Int64 = 0
  package var holidaySeconds: Int64 = 0
  package var absenceSeconds: Int64 = 0
  package var creditedSeconds: Int64 = 0
  package var targetSeconds: Int64 = 0
  /// Of all dates, those before the member's first schedule too.
  package var paidSeconds: Int64 = 0
  package var adjustmentSeconds: Int64 = 0
  /// The change of the member's account.
  package var balanceSeconds: Int64 = 0
  /// The part of `paidSeconds` beyond the limit of its date; nil of approvals from before it was kept.
  package var dailyOvertimeSeconds: Int64?
  /// The part of `paidSeconds` without daily overtime beyond the limit of its week; nil of approvals from before it was kept.
  package var weeklyOvertimeSeconds: Int64?

  package init(head: Head<Approval>) {
    self.head = head
  }

  package static let shape = Shape<Approval>(
    .approval, list: "approvals", owner: .member(\.userID),
    fields: [
      .date("from", \.from, onCreate: .requiredAndFixed, column: "from_date"),
      .date("through", \.through, onCreate: .requiredAndFixed),
      .user("approvedBy", \.approvedBy, onCreate: .requiredAndFixed),
      total("plannedSeconds", \.plannedSeconds),
      total("holidaySeconds", \.holidaySeconds),
      total("absenceSeconds", \.absenceSeconds),
      total("creditedSeconds", \.creditedSeconds),
      total("targetSeconds", \.targetSeconds),
      total("paidSeconds", \.paidSeconds),
      total("adjustmentSeconds", \.adjustmentSeconds),
      total("balanceSeconds", \.balanceSeconds),
      .optionalNumber("dailyOvertimeSeconds", \.dailyOvertimeSeconds) { $0 },
      .optionalNumber("weeklyOvertimeSeconds", \.weeklyOvertimeSeconds) { $0 },
    ])

  private static func total(
    _ name: StaticString, _ path: ShapeField<Approval>.Path<Int64>
  ) -> ShapeField<Approval> {
    .number(name, path, onCreate: .requiredAndFixed) { $0 }
  }
}

/// An approval as lists show it.
package struct ListedApproval: Hashable, Sendable {
  package let approval: Approval
  /// The sequence number of the change that made it; nil until the change is sealed, which is soon.
  package let sequence: Int64?

  package init(_ approval: Approval, sequence: Int64?) {
    self.approval = approval
    self.sequence = sequence
  }
}
