/// The public id of an absence.
package typealias AbsenceID = Identifier<Absence>

/// Dates on which a member is absent: the record of which an `AbsenceRow` is made.
package struct Absence: ShapedRecord {
  package var head: Head<Absence>
  /// The member; none only before the record is filled.
  package var userID: UserID?
  package var kind = ShownAbsenceKind.absent
  /// A kind with the same effect on sums, by which an absence counts whose own kind is gone.
  package var effect = AbsenceKind.other
  package var startDate = LocalDate.earliest
  /// Inclusive.
  package var endDate = LocalDate.earliest
  package var portion = AbsencePortion.Word.day
  /// Only of a portion in seconds.
  package var seconds: Int64?
  package var state = AbsenceState.approved
  package var note: String?

  package init(head: Head<Absence>) {
    self.head = head
  }

  package static let shape = Shape<Absence>(
    .absence, list: "absences", owner: .member(\.userID),
    fields: [
      .choice(
        "kind", \.kind, onCreate: .requiredAndFixed, afterAnonymizing: .absent),
      .choice("effect", \.effect, onCreate: .never, isAnswered: false),
      .date("startDate", \.startDate),
      .date("endDate", \.endDate),
      .choice("portion", \.portion),
      .optionalNumber("seconds", \.seconds) { seconds in
        guard AbsencePortion.bounds.contains(seconds) else { throw TimeclockError.invalidPortion }
        return seconds
      },
      .choice("state", \.state, onCreate: .never),
      .optionalText("note", \.note, isPersonal: true) {
        try Notes.sanitized($0, maximumCharacters: maximumCharactersOfNote)?.text
      },
    ])

  package static let limit = RecordLimit(2_000, orThrow: .tooManyAbsences)
  /// The most dates of one absence: ten years.
  package static let maximumDates: Int32 = 3_660
  /// The longest note, in Unicode code points after trimming.
  package static let maximumCharactersOfNote: Int64 = 500
}

extension Absence {
  /// The kind by which it counts.
  package var counted: AbsenceKind {
    get { if case .shown(let kind) = kind { kind } else { effect } }
    set { (kind, effect) = (.shown(newValue), newValue.effect) }
  }

  /// The parts that rules and sums depend on.
  ///
  /// - Parameter number: The storage's row; the greatest number of all for an absence that is not kept yet.
  /// - Throws: `TimeclockError.invalidPortion` for a portion and seconds that do not belong together.
  package func row(_ number: Int64 = .max) throws -> AbsenceRow {
    AbsenceRow(
      number: number, kind: counted, first: startDate, last: endDate,
      portion: try AbsencePortion(portion, seconds: seconds), state: state)
  }

  /// Checks dates and portion.
  ///
  /// - Throws: `TimeclockError.invalidDateRange`, `.absenceTooLong`, `.invalidPortion`.
  package func validate() throws {
    try row().validate()
    guard endDate.daysSince1970 - startDate.daysSince1970 < Self.maximumDates else {
      throw TimeclockError.absenceTooLong
    }
  }

  /// Whether it takes the same parts of the same dates as another.
  package func takesAlike(_ other: Absence) -> Bool {
    (startDate, endDate, portion, seconds) == (other.startDate, other.endDate, other.portion, other.seconds)
  }

  /// Takes over changes of its dates, its portion and its note. Another portion takes the seconds away unless the changes
  /// state some.
  package mutating func take(_ changes: Stated<Absence>.Assignment, statesSeconds: Bool) {
    let before = portion
    changes(&self)
    if portion != before, portion != .seconds, !statesSeconds { seconds = nil }
  }
}

extension TimeclockError {
  package static let absenceTooLong = TimeclockError.plain(
    PlainRefusal(
      "invalid_date_range", against: .rule, "An absence has at most \(Absence.maximumDates) dates"))

  package static let selfApproval = TimeclockError.plain(
    PlainRefusal("self_approval", against: .permission, "Somebody else has to decide about what is yours.")
  )

  package static let absenceDecided = TimeclockError.plain(
    PlainRefusal(
      "absence_decided", against: .state,
      "The absence has been decided about or canceled. Ask a manager if it has to change."))

  package static let entitlementExceeded = TimeclockError.plain(
    PlainRefusal(
      "entitlement_exceeded", against: .state, "The member is not entitled to these days in the year."))

  package static let tooManyAbsences = TimeclockError.plain(
    PlainRefusal(
      "too_many_absences", against: .state, "A member has at most 2000 absences."))
}
