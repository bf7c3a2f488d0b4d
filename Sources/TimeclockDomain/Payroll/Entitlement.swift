/// The public id of an entitlement.
package typealias EntitlementID = Identifier<Entitlement>

/// The days off that a member is entitled to in one year: the record of which an `EntitlementRow` is made.
package struct Entitlement: ShapedRecord {
  /// The kinds of absences that use one.
  package enum Kind: String, CaseIterable, Sendable {
    case vacation
  }

  package var head: Head<Entitlement>
  /// The member; none only before the record is filled.
  package var userID: UserID?
  package var kind = Kind.vacation
  /// A member has one entitlement of a kind in it.
  package var year: Int64 = 1900
  /// Ten-thousandths of a day.
  package var days: Int64 = 0
  /// Ten-thousandths of a day, left of earlier years.
  package var carriedDays: Int64 = 0
  /// The last date on which carried days can be used; nil if they do not expire.
  package var carriedExpires: LocalDate?

  package init(head: Head<Entitlement>) {
    self.head = head
  }

  package static let shape = Shape<Entitlement>(
    .entitlement, list: "entitlements", owner: .member(\.userID),
    fields: [
      .choice("kind", \.kind, onCreate: .optional),
      .number("year", \.year, rule: within(years)),
      .decimal("days", \.days, rule: within(EntitlementRow.daysBounds)),
      .decimal("carriedDays", \.carriedDays, onCreate: .optional, rule: within(EntitlementRow.carriedBounds)),
      .optionalDate("carriedExpires", \.carriedExpires),
    ])

  package static let limit = RecordLimit(200, orThrow: .tooManyEntitlements)
  /// The years of dates.
  package static let years: ClosedRange<Int64> = 1900...2199

  private static func within(_ bounds: ClosedRange<Int64>) -> @Sendable (Int64) throws -> Int64 {
    { value in
      guard bounds.contains(value) else { throw TimeclockError.invalidEntitlement }
      return value
    }
  }

  /// The parts that sums depend on.
  package var row: EntitlementRow {
    EntitlementRow(
      year: Int(year), days: days, carriedDays: carriedDays, carriedExpires: carriedExpires)
  }
}

extension TimeclockError {
  package static let invalidEntitlement = TimeclockError.plain(
    PlainRefusal(
      "invalid_entitlement", against: .rule,
      "An entitlement has 0 to 366 days, at most 366 carried ones either way, and a year from 1900 to 2199"))

  package static let entitlementExists = TimeclockError.plain(
    PlainRefusal(
      "entitlement_exists", against: .state, "The member has an entitlement of this kind in the year already."
    ))

  package static let tooManyEntitlements = TimeclockError.plain(
    PlainRefusal("too_many_entitlements", against: .state, "A member has at most 200 entitlements."))
}
