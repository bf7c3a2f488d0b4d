import TimeclockDomain

/// Reads an exported entry: the columns of `TimeEntryRows`, and joined columns of the records it refers to.
enum TimeEntryExportRows {
  /// The columns, of an entry `e`, its member `m`, its user `u`, its session `s` and the
  /// member's marks `p`; `$1` is the organization.
  static let columns: String = {
    let ids = TimeEntryRows.ReferencedIDs(
      user: "u.id", organization: "(SELECT o.id FROM organizations o WHERE o.organization_id = $1::bigint)",
      session: "s.id")
    return ([TimeEntryRows.columns(ids)] + Column.allCases.map(\.expression)).joined(separator: ", ")
  }()

  /// The columns behind those of the entry, in their order.
  private enum Column: Int32, CaseIterable {
    case user
    case name
    case email
    case personnelNumber
    case sessionTitle
    case anonymizedAt
    case submittedThrough
    case submittedUntil
    case approvedThrough
    case approvedUntil
    case lockedThrough
    case lockedUntil

    var expression: String {
      switch self {
      case .user: "m.user_id"
      case .name: "m.name"
      case .email: "m.email"
      case .personnelNumber: "m.personnel_number"
      case .sessionTitle: "s.title"
      case .anonymizedAt: "m.anonymized_at"
      case .submittedThrough: "p.submitted_through"
      case .submittedUntil: "p.submitted_until"
      case .approvedThrough: "p.approved_through"
      case .approvedUntil: "p.approved_until"
      case .lockedThrough: "p.locked_through"
      case .lockedUntil: "p.locked_until"
      }
    }

    var place: Int32 { TimeEntryRows.columnCount + rawValue }
  }

  static func entry(_ row: PostgreSQLRow) throws -> ExportedTimeEntry {
    let entry = try TimeEntryRows.entry(row)
    let isAnonymous = !row.isNull(Column.anonymizedAt.place)
    let marks = PeriodEnds(
      submitted: end(row, .submittedThrough, .submittedUntil),
      approved: end(row, .approvedThrough, .approvedUntil), locked: end(row, .lockedThrough, .lockedUntil))
    return ExportedTimeEntry(
      entry: entry, userName: isAnonymous ? Anonymity.name : row.text(Column.name.place),
      userEmail: isAnonymous ? Anonymity.email(of: entry.userID) : row.text(Column.email.place),
      personnelNumber: row.optionalText(Column.personnelNumber.place),
      sessionTitle: row.optionalText(Column.sessionTitle.place),
      periodState: marks.state(of: entry.clockInTime))
  }

  private static func end(_ row: PostgreSQLRow, _ through: Column, _ until: Column) -> PeriodEnd? {
    guard let instant = row.optionalInstant(until.place) else { return nil }
    return PeriodEnd(through: row.date(through.place), until: instant)
  }

  static func cursor(_ row: PostgreSQLRow) -> TimeEntryExportCursor {
    TimeEntryExportCursor(user: UserKey(row.integer(Column.user.place)), place: TimeEntryRows.cursor(row))
  }
}
