/// A mark on a member's time: all dates through one are submitted, approved or locked.
package struct PeriodMark: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Comparable, Sendable {
    /// The member says that the time is complete. It binds members.
    case submitted
    /// A manager agrees. It binds managers and admins too.
    case approved
    /// An admin closes the time. It binds everybody.
    case locked

    package static func < (one: Kind, other: Kind) -> Bool { one.place < other.place }

    private var place: Int {
      switch self {
      case .submitted: 0
      case .approved: 1
      case .locked: 2
      }
    }
  }

  package let kind: Kind
  /// The last date.
  package let through: LocalDate

  package init(_ kind: Kind, through: LocalDate) {
    self.kind = kind
    self.through = through
  }
}

/// The end of the dates that a mark is on.
package struct PeriodEnd: Hashable, Sendable {
  /// The last date.
  package let through: LocalDate
  /// The instant at which that date is over, as the member's schedule had it when the mark moved there.
  package let until: Instant

  package init(through: LocalDate, until: Instant) {
    self.through = through
    self.until = until
  }
}

/// The dates of a member's marks; nil for a mark that is on none.
package struct PeriodDates: Hashable, Sendable {
  package var submitted: LocalDate?
  /// Never after `submitted`.
  package var approved: LocalDate?
  /// Never after `approved`.
  package var locked: LocalDate?

  package init(submitted: LocalDate? = nil, approved: LocalDate? = nil, locked: LocalDate? = nil) {
    self.submitted = submitted
    self.approved = approved
    self.locked = locked
  }

  package subscript(kind: PeriodMark.Kind) -> LocalDate? {
    switch kind {
    case .submitted: submitted
    case .approved: approved
    case .locked: locked
    }
  }

  /// The strongest mark that is on a date; nil if none is.
  package func mark(on date: LocalDate) -> PeriodMark? {
    PeriodMark.Kind.allCases.reversed().lazy.compactMap { kind in
      self[kind].flatMap { $0 >= date ? PeriodMark(kind, through: $0) : nil }
    }.first
  }
}

/// The ends of a member's marks; nil for a mark that is on no date.
package struct PeriodEnds: Hashable, Sendable {
  package var submitted: PeriodEnd?
  package var approved: PeriodEnd?
  package var locked: PeriodEnd?

  package init(submitted: PeriodEnd? = nil, approved: PeriodEnd? = nil, locked: PeriodEnd? = nil) {
    self.submitted = submitted
    self.approved = approved
    self.locked = locked
  }

  package var dates: PeriodDates {
    PeriodDates(submitted: submitted?.through, approved: approved?.through, locked: locked?.through)
  }

  package subscript(kind: PeriodMark.Kind) -> PeriodEnd? {
    switch kind {
    case .submitted: submitted
    case .approved: approved
    case .locked: locked
    }
  }
}
