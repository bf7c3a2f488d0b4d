/// The reason why a row of a file is not taken: a code of the contract, and a sentence for the administrator who reads
/// the report.
package struct ImportRefusal: Error, Hashable, Sendable {
  package var code: String
  package var detail: String

  private init(code: String, detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The row breaks a rule that holds for every entry.
  package init(_ error: TimeclockError) {
    code = error.code
    detail =
      switch error {
      // The entries in the way depend on what was taken before; a trial shows the same as the run.
      case .overlap: "The time overlaps another time entry of the same member."
      case .segmentOverlap: "The time overlaps a segment that the same member has without a time entry."
      default: error.detail
      }
  }

  /// The row is not of the form that the format has.
  package static func malformed(_ detail: String) -> ImportRefusal {
    ImportRefusal(code: "row_malformed", detail: detail)
  }

  /// The row does not say from when to when somebody worked.
  ///
  /// - Parameter hasHours: Whether it says how long.
  package static func timeMissing(hasHours: Bool, _ names: ImportSettingNames) -> ImportRefusal {
    ImportRefusal(
      code: "time_missing",
      detail: hasHours
        ? """
        The row has hours, and no start and end. State \(names.dayStart) to have the hours of each day one behind the \
        other.
        """ : "The row has no start and end. An entry needs both.")
  }

  /// The row has a break in it, without saying when.
  package static let breakUnplaced = ImportRefusal(
    code: "break_unplaced",
    detail: "The row has a break between its start and end, and does not say when: split it into two rows.")

  /// The row is something else than time that was worked, which its service calls by this word.
  package static func notWork(calledBy word: String) -> ImportRefusal {
    ImportRefusal(
      code: "not_work",
      detail: "The row is of the type \"\(Text.quotable(word))\", so it is no entry of work.")
  }

  /// The row has a start only.
  package static let stillRunning = ImportRefusal(
    code: "entry_active", detail: "The entry was still running when the file was made: the row has no end.")

  /// The row is a break or time off: kept as an entry, it would be paid as work.
  package static func notWork(_ kind: ImportRowKind) -> ImportRefusal {
    ImportRefusal(
      code: "not_work",
      detail: "The row is \(kind == .rest ? "a break" : "time off"), so it is no entry of work.")
  }

  /// Clocks skipped the time.
  static func timeSkipped(in zone: Zone) -> ImportRefusal {
    ImportRefusal(
      code: "time_skipped",
      detail: "Clocks in \(zone.identifier.name) were put forward over this time: they never showed it.")
  }

  /// Clocks showed the time twice, and the row's duration fits no reading.
  static func timeAmbiguous(in zone: Zone) -> ImportRefusal {
    ImportRefusal(
      code: "time_ambiguous",
      detail: """
        Clocks in \(zone.identifier.name) showed this time twice, and neither reading is as long as the row says it is.
        """)
  }

  /// Words of the row break a rule.
  ///
  /// - Parameter words: What they are called, at the beginning of a sentence.
  static func words(_ words: String, _ error: TimeclockError) -> ImportRefusal {
    ImportRefusal(code: error.code, detail: "\(words): \(error.detail)")
  }

  /// The row says whose it is only by an id of another service.
  static func idUnknown(_ id: String, _ names: ImportSettingNames) -> ImportRefusal {
    memberUnknown(
      "The row has no name and no e-mail address, only the id \"\(Text.quotable(id))\" of another service. "
        + names.adviceOnIDs)
  }

  /// No member is known to whom the row could belong.
  static func memberUnknown(_ detail: String) -> ImportRefusal {
    ImportRefusal(code: "member_unknown", detail: detail)
  }
}
