import Procedures

/// One table of the schema, as far as copying needs to know it. All of them stand in `CopiedTable.all`.
package struct CopiedTable: Sendable {
  package let name: String
  /// Every column that the table has, in the order in which rows travel.
  package let columns: [Column]
  /// The columns of a unique key, before which PostgreSQL's may have the organization: the order in which rows are read,
  /// the same on every database, and in which SQLite keeps them.
  package let key: [String]
  package let rows: Belonging
  /// The column that the database numbers, if there is one.
  package let numbering: Numbering?

  init(
    _ name: String, key: [String], rows: Belonging, numbering: Numbering? = nil, columns: [Column]
  ) {
    self.name = name
    self.columns = columns
    self.key = key
    self.rows = rows
    self.numbering = numbering
  }

  /// A table of records, with the columns that records have.
  ///
  /// - Parameter key: In which order rows are read, if that is not by the organization and the records' key.
  init<Record>(
    _ table: RecordTable<Record>, key: [String]? = nil, rows: Belonging = .organization
  ) {
    var columns = table.key.columns
    if let number = table.number, !columns.contains(number) { columns.append(number) }
    self.init(
      table.name, key: key ?? table.key.columns, rows: rows,
      numbering: table.number.map(Numbering.byRowNumbers) ?? table.key.numbered.map(Numbering.byTable),
      columns: columns.map { Column(name: $0, kind: .integer) }
        + table.fields.map { Column(name: $0.name, kind: $0.kind) })
  }

  package struct Column: Hashable, Sendable {
    package let name: String
    package let kind: RecordKind

    static func integer(_ name: String) -> Column { Column(name: name, kind: .integer) }
    static func bool(_ name: String) -> Column { Column(name: name, kind: .bool) }
    static func text(_ name: String) -> Column { Column(name: name, kind: .text) }
    static func bytes(_ name: String) -> Column { Column(name: name, kind: .bytes) }
    static func identifier(_ name: String) -> Column { Column(name: name, kind: .identifier) }
  }

  /// Which rows are an organization's.
  package enum Belonging: Sendable {
    /// Rows with its number in their column organization_id. Rows with null belong to none.
    case organization
    /// Its rows that end with one of its API tokens, and not with a person's log-in.
    case endingWithItsTokens
    /// Rows of its members' accounts.
    case membersOfOrganization
    /// None: the rows record what people do in several organizations.
    case nobody
  }

  /// A column whose numbers the database gives out, each once.
  package struct Numbering: Sendable {
    package let column: String
    /// Whether SQLite takes the numbers from the table row_numbers; else the next one is the greatest and one.
    package let isFromRowNumbers: Bool

    static func byTable(_ column: String) -> Numbering { Numbering(column: column, isFromRowNumbers: false) }
    static func byRowNumbers(_ column: String) -> Numbering {
      Numbering(column: column, isFromRowNumbers: true)
    }
  }
}

// SQL that both databases read alike. All names are this module's own, and numbers need no quoting.
extension CopiedTable {
  package var columnList: String { columns.map(\.name).joined(separator: ", ") }

  /// A condition for the rows that are to be copied.
  package func condition(_ scope: CopyScope) -> String {
    switch (scope, rows) {
    case (.everything, _): "TRUE"
    case (.organization(let number), .organization), (.move(let number), .organization):
      "organization_id = \(number)"
    case (.organization(let number), .endingWithItsTokens), (.move(let number), .endingWithItsTokens):
      "token_id IN (SELECT token_id FROM tokens WHERE organization_id = \(number)) AND organization_id = \(number)"
    case (.organization(let number), .membersOfOrganization), (.move(let number), .membersOfOrganization),
      (.move(let number), .nobody):
      "user_id IN (SELECT user_id FROM members WHERE organization_id = \(number))"
    case (.organization, .nobody): "FALSE"
    }
  }

  package func countStatement(_ scope: CopyScope) -> String {
    "SELECT count(*) FROM \(name) WHERE \(condition(scope))"
  }
}

/// The part of a database to copy.
package enum CopyScope: Hashable, Sendable {
  case everything
  /// One organization, by its number in the column organization_id.
  case organization(Int64)
  /// The same with what its members were answered lately, which may be about other organizations too.
  case move(Int64)
}
