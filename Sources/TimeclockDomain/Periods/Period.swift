/// The public id of a member's marks.
package typealias PeriodID = Identifier<Period>

/// A member's three marks. The record is there from the first move of one on.
package struct Period: ShapedRecord {
  package var head: Head<Period>
  /// The member; none only before the record is filled.
  package var userID: UserID?
  package var submittedThrough: LocalDate?
  package var submittedUntil: Instant?
  package var approvedThrough: LocalDate?
  package var approvedUntil: Instant?
  package var lockedThrough: LocalDate?
  package var lockedUntil: Instant?

  package init(head: Head<Period>) {
    self.head = head
  }

  package static let shape = Shape<Period>(
    .period, list: "periods", owner: .member(\.userID),
    fields: [
      .optionalDate("submittedThrough", \.submittedThrough),
      .optionalInstant("submittedUntil", \.submittedUntil),
      .optionalDate("approvedThrough", \.approvedThrough),
      .optionalInstant("approvedUntil", \.approvedUntil),
      .optionalDate("lockedThrough", \.lockedThrough),
      .optionalInstant("lockedUntil", \.lockedUntil),
    ])
}

extension Period {
  package var ends: PeriodEnds {
    PeriodEnds(submitted: self[.submitted], approved: self[.approved], locked: self[.locked])
  }

  /// The end of a mark; nil if it is on no date.
  package subscript(kind: PeriodMark.Kind) -> PeriodEnd? {
    get {
      let (through, until) =
        switch kind {
        case .submitted: (submittedThrough, submittedUntil)
        case .approved: (approvedThrough, approvedUntil)
        case .locked: (lockedThrough, lockedUntil)
        }
      guard let through, let until else { return nil }
      return PeriodEnd(through: through, until: until)
    }
    set {
      let (through, until) = (newValue?.through, newValue?.until)
      switch kind {
      case .submitted: (submittedThrough, submittedUntil) = (through, until)
      case .approved: (approvedThrough, approvedUntil) = (through, until)
      case .locked: (lockedThrough, lockedUntil) = (through, until)
      }
    }
  }
}
