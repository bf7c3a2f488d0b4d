import Procedures
import TimeclockDomain

/// A plain record of which tests of all such kinds make some.
package protocol SampledRecord: PlainRecord {
  /// Gives every field a value that is not its default.
  static func fill(_ record: inout Self)

  /// Gives the fields alone that every body states a value, another than `fill`.
  static func fillLeast(_ record: inout Self)
}

extension BreakType: SampledRecord {
  package static func fill(_ record: inout BreakType) {
    record.name = "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
    record.isPaid = true
    record.expectedSeconds = 86_400
    record.isArchived = true
  }

  package static func fillLeast(_ record: inout BreakType) { record.name = "Lunch" }
}

extension HolidayCalendar: SampledRecord {
  package static func fill(_ record: inout HolidayCalendar) { record.name = "Bayern 🌙" }

  package static func fillLeast(_ record: inout HolidayCalendar) { record.name = "Bavaria" }
}

extension SampledRecord {
  /// The record with a value in every field.
  package init(filled head: Head<Self>) {
    self.init(head: head)
    Self.fill(&self)
  }

  /// The record with a value in every field but the flag by which lists are narrowed.
  package init(unflagged head: Head<Self>) {
    self.init(filled: head)
    copyFlag(from: Self(head: head))
  }

  /// Gives the flag by which lists are narrowed the value of another record's.
  package mutating func copyFlag(from other: Self) {
    for field in Self.shape.fields where "\(field.name)" == Self.shape.listFlag.map({ "\($0)" }) {
      field.copy(other, &self)
    }
  }

  /// The record with a value in the fields alone that every body states.
  package init(bare head: Head<Self>) {
    self.init(head: head)
    Self.fillLeast(&self)
  }
}

// Of a type that is not known.
extension SampledRecord {
  package static var tableName: String { table.rows.name }

  /// The columns beside those of the keys and the id.
  package static var valueColumns: [String] { table.rows.fields.map(\.name).filter { $0 != "id" } }

  /// Keeps one with a value in every field.
  package static func keepOne(
    in organization: OrganizationKey, _ id: OrganizationID, context: ChangeContext, _ storage: any Storage
  ) async throws {
    let number = UInt64(bitPattern: organization.value)
    let head = Head<Self>(id: Identifier(high: number, low: 1), organizationID: id, at: context.time)
    _ = try await storage.createRecord(Self(filled: head), in: organization, context: context, recording: nil)
  }
}

/// The kinds of plain records. A test fails for one that has no sample.
package let sampledRecords: [any SampledRecord.Type] = tabledRecords.compactMap {
  $0 as? any SampledRecord.Type
}
