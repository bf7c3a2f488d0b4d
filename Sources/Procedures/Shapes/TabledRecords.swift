import TimeclockDomain

// The tables of all records that have a shape.

extension BreakType: PlainRecord {
  package static let table = ShapedTable(shape)
}

extension HolidayCalendar: PlainRecord {
  package static let table = ShapedTable(shape)
}

extension Holiday: TabledRecord {
  package static let table = ShapedTable(shape)
}

extension DatedPayRules: TabledRecord {
  package static let table = ShapedTable(shape)
}

extension Project: TabledRecord {
  package static let table = ShapedTable(shape, isNumberedAcrossTables: true)
}

extension WorkTask: TabledRecord {
  package static let table = ShapedTable(shape, isNumberedAcrossTables: true)
}

/// All of them, each after those that it refers to. A test compares the list with the kinds that have a shape.
package let tabledRecords: [any TabledRecord.Type] = Snapshot.Kind.shaped.compactMap {
  $0 as? any TabledRecord.Type
}
