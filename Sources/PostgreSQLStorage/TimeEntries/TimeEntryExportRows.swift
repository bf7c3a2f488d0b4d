import TimeclockDomain

/// Reads an exported entry: the columns of `TimeEntryRows`, and joined columns of the records it refers to.
enum TimeEntryExportRows {
  /// The columns, of an entry `e`, its member `m`, its user `u` and its session `s`; `$1` is the organization.
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

    var expression: String {
      switch self {
      case .user: "m.user_id"
      case .name: "m.name"
      case .email: "m.email"
      case .personnelNumber: "m.personnel_number"
      case .sessionTitle: "s.title"
      case .anonymizedAt: "m.anonymized_at"
      }
    }

    var place: Int32 { TimeEntryRows.columnCount + rawValue }
  }

  static func entry(_ row: PostgreSQLRow) throws -> ExportedTimeEntry {
    let entry = try TimeEntryRows.entry(row)
    let isAnonymous = !row.isNull(Column.anonymizedAt.place)
    return ExportedTimeEntry(
      entry: entry, userName: isAnonymous ? Anonymity.name : row.text(Column.name.place),
      userEmail: isAnonymous ? Anonymity.email(of: entry.userID) : row.text(Column.email.place),
      personnelNumber: row.optionalText(Column.personnelNumber.place),
      sessionTitle: row.optionalText(Column.sessionTitle.place))
  }

  static func cursor(_ row: PostgreSQLRow) -> TimeEntryExportCursor {
    TimeEntryExportCursor(user: UserKey(row.integer(Column.user.place)), place: TimeEntryRows.cursor(row))
  }
}
