import TimeclockDomain

extension Shape {
  /// The column of the row's number, such as `break_type_id`.
  var key: String { kind.codeWord + "_id" }

  /// The table, such as `break_types`.
  var table: String { "\(list)".words(between: "_") }

  /// The column with the row of the owner, such as `owner_id`; nil for kinds that no member owns.
  var ownerColumn: String? { owner.map { "\($0.name)".words(between: "_") } }

  /// The columns of the table, beside the row's number and its organization's.
  var columns: [RecordField<ShapedRow<Record>>] {
    let owners: [RecordField<ShapedRow<Record>>] =
      ownerColumn.map { [.fixed($0, .integer) { .optional($0.owner?.value) }] } ?? []
    return [.fixed("id", .identifier) { .identifier($0.record.id) }] + owners
      + fields.compactMap(\.rowField) + [
        .field("version", .integer) { .integer($0.record.version) },
        .fixed("created_at", .integer) { .instant($0.record.createdAt) },
        .field("updated_at", .integer) { .instant($0.record.updatedAt) },
      ]
  }
}

extension Shape {
  /// The fields that refer to other records: each one's column, the table of those records as statements join it, and their
  /// id in it.
  var references: [(column: String, join: String, id: String)] {
    fields.compactMap { field in
      guard case .reference(_, let target) = field.kind else { return nil }
      let (column, alias) = (field.columnName, "of_\(field.columnName)")
      return (
        column,
        """
         LEFT JOIN \(target.tableName) \(alias) ON \(alias).organization_id = r.organization_id \
        AND \(alias).\(target.keyName) = r.\(column)
        """, "\(alias).id"
      )
    }
  }
}

extension Shape {
  /// The table with the people of the records, such as `group_people`.
  var peopleTable: String { kind.codeWord + "_people" }

  /// The fields whose values are people: each one's name as a column, and the expression of their ids in a row `r`, for
  /// either database.
  var people: [(column: String, postgresql: String, sqlite: String)] {
    fields.compactMap { field in
      guard case .people(_, let part) = field.kind else { return nil }
      func ids(_ aggregate: String, _ digits: String) -> String {
        """
        (SELECT \(aggregate)((SELECT \(digits) FROM users u WHERE u.user_id = p.user_id), ',') FROM \(peopleTable) p \
        WHERE p.organization_id = r.organization_id AND p.\(key) = r.\(key) AND p.part = '\(part)')
        """
      }
      return (
        field.columnName, ids("string_agg", "replace(u.id::text, '-', '')"), ids("group_concat", "hex(u.id)")
      )
    }
  }
}

// Of a type that is not known.
extension ShapedRecord {
  fileprivate static var tableName: String { shape.table }
  fileprivate static var keyName: String { shape.key }
}

extension ShapeField where Record: ShapedRecord {
  /// The name of the column, in the words of SQL: `expected_seconds` for `expectedSeconds`.
  var columnName: String { column.map { "\($0)" } ?? "\(name)".words(between: "_") }

  /// The column; nil if the value stands in other rows.
  var rowField: RecordField<ShapedRow<Record>>? {
    let make = creation.isFixed ? RecordField<ShapedRow<Record>>.fixed : RecordField.field
    let column = columnName
    return switch kind {
    case .text(let place), .choice(let place, _): make(column, .text) { .optional(place[$0.record]) }
    case .number(let place), .decimal(let place): make(column, .integer) { .optional(place[$0.record]) }
    case .numbers(let place):
      make(column, .text) { row in .text((place[row.record] ?? []).map(String.init).joined(separator: ",")) }
    case .breakRules(let place): make(column, .text) { .text((place[$0.record] ?? []).stored) }
    case .flag(let place): make(column, .bool) { .optional(place[$0.record]) }
    case .date(let place): make(column, .integer) { place[$0.record].map(RecordValue.date) ?? .null }
    case .instant(let place): make(column, .integer) { .optional(place[$0.record]) }
    case .user(let place): make(column, .identifier) { place[$0.record].map(RecordValue.identifier) ?? .null }
    case .resource(let place):
      make(column, .identifier) { place[$0.record].map(RecordValue.identifier) ?? .null }
    case .reference: make(column, .integer) { .optional($0.references[column] ?? nil) }
    case .people: nil
    }
  }

  /// Reads the value in a row of the table's statements into a record.
  ///
  /// - Parameter column: The name of the column.
  func read<Row>(_ column: String, of row: inout RecordRow<Row>, into record: inout Record) throws {
    switch kind {
    case .text(let place): place.put(row.optionalText(column), into: &record)
    case .number(let place), .decimal(let place): place.put(row.optionalInteger(column), into: &record)
    case .numbers(let place): place.put(row.integers(column), into: &record)
    case .breakRules(let place): place.put([BreakRule](stored: row.text(column)), into: &record)
    case .flag(let place): place.put(row.bool(column), into: &record)
    case .date(let place): place.put(row.optionalDate(column), into: &record)
    case .instant(let place): place.put(row.optionalInstant(column), into: &record)
    case .user(let place): place.put(try row.optionalIdentifier(column), into: &record)
    case .resource(let place): place.put(try row.optionalIdentifier(column), into: &record)
    case .choice(let place, let words):
      let word = row.text(column)
      guard words.contains(word) else { throw UnknownWord(column: column) }
      place.put(word, into: &record)
    case .reference(let place, _):
      place.put(try row.optionalIdentifier(Self.idColumn(column)), into: &record)
    case .people(let place, _): place.put(try row.identifiers(column), into: &record)
    }
  }
}

extension ShapeField {
  /// The name of the column with the id of the record to which a row refers by number.
  static func idColumn(_ column: String) -> String { column + ".id" }
}

/// A row has a word that its column's list lacks.
struct UnknownWord: Error, Hashable {
  /// The column, never its value.
  let column: String
}
