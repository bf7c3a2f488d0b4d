import Procedures
import TimeclockDomain

/// A record with a value of every kind, for tests of what reads shapes. No storage has its table.
package struct Voucher: TabledRecord {
  package enum Color: String, CaseIterable, Sendable {
    case green
    case red
  }

  package var head: Head<Voucher>
  package var ownerID: UserID?
  package var code = ""
  package var note: String?
  package var isSpent = false
  package var amount: Int64 = 0
  package var limit: Int64?
  package var weights: [Int64] = []
  package var share: Int64 = 0
  package var startDate = LocalDate.earliest
  package var endDate: LocalDate?
  package var color = Color.green
  package var projectID: ProjectID?

  package init(head: Head<Voucher>) {
    self.head = head
  }

  package static let shape = Shape<Voucher>(
    .session, list: "vouchers", owner: .optional(\.ownerID),
    fields: [
      .text("code", \.code, onCreate: .requiredAndFixed, rule: Name.validated),
      .optionalText("note", \.note, rule: Project.client),
      .flag("spent", \.isSpent, onCreate: .later),
      .number("amount", \.amount, rule: BreakType.expectedSeconds),
      .optionalNumber("limit", \.limit, onCreate: .optionalAndFixed, rule: BreakType.expectedSeconds),
      .numbers("weights", \.weights, onCreate: .optional) { $0 },
      .decimal("share", \.share, onCreate: .optional) { $0 },
      .date("startDate", \.startDate),
      .optionalDate("endDate", \.endDate),
      .choice("color", \.color, onCreate: .optional),
      .reference("projectId", \.projectID),
    ])

  package static let table = ShapedTable(shape)

  /// An id such as 00000000-0000-7001-8000-000000000002.
  private static func id<Subject>(_ high: UInt64, _ low: UInt64) -> Identifier<Subject> {
    Identifier(high: 0x7000 + high, low: 1 << 63 | low)
  }

  /// With a value in every field.
  package static let full = Voucher(
    head: Head(
      id: id(1, 2), organizationID: id(3, 4), version: 7,
      createdAt: Instant(millisecondsSince1970: 5), updatedAt: Instant(millisecondsSince1970: 6))
  ) {
    $0.ownerID = id(5, 6)
    $0.code = "A 1"
    $0.note = "For Ada"
    $0.isSpent = true
    $0.amount = 60
    $0.limit = 600
    $0.weights = [0, -7, 86_400]
    $0.share = 12_500
    $0.startDate = LocalDate(daysSince1970: -1)
    $0.endDate = LocalDate(daysSince1970: 1)
    $0.color = .red
    $0.projectID = id(7, 8)
  }

  /// With nothing that can be left out.
  package static let bare = Voucher(head: full.head) { $0.code = "A 2" }
}
