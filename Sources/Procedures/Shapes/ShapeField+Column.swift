import TimeclockDomain

extension Shape {
  /// The column of the row's number, such as `break_type_id`.
  var key: String { kind.codeWord + "_id" }

  /// The table, such as `break_types`.
  var table: String { "\(list)".words(between: "_") }

  /// The columns of the table, beside the row's number and its organization's.
  var columns: [RecordField<ShapedRow<Record>>] {
    let owners: [RecordField<ShapedRow<Record>>] =
      owner == nil ? [] : [.fixed("owner_id", .integer) { .optional($0.owner?.value) }]
    return [.fixed("id", .identifier) { .identifier($0.record.id) }] + owners
      + fields.map { field in field.column.within { $0.record } } + [
        .field("version", .integer) { .integer($0.record.version) },
        .fixed("created_at", .integer) { .instant($0.record.createdAt) },
        .field("updated_at", .integer) { .instant($0.record.updatedAt) },
      ]
  }
}

extension ShapeField where Record: Sendable {
  /// The name of the column, in the words of SQL: `expected_seconds` for `expectedSeconds`.
  var columnName: String { "\(name)".words(between: "_") }

  var column: RecordField<Record> {
    switch kind {
    case .text(let place, _): .field(columnName, .text) { .text($0[keyPath: place]) }
    case .optionalText(let place, _): .field(columnName, .text) { .optional($0[keyPath: place]) }
    case .flag(let place): .field(columnName, .bool) { .bool($0[keyPath: place]) }
    case .optionalNumber(let place, _): .field(columnName, .integer) { .optional($0[keyPath: place]) }
    }
  }
}
