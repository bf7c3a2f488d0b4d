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
      // The entries in the way depend on earlier rows; a trial shows the same as the run.
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
  ///
  /// - Parameter isEnded: Whether it has an end. If it has a length instead, it is unknown whether the break is in it.
  package static func breakUnplaced(_ names: ImportSettingNames, isEnded: Bool) -> ImportRefusal {
    ImportRefusal(
      code: "break_unplaced",
      detail: isEnded
        ? """
        The row has a break between its start and end, and does not say when: split it into two rows, or state \
        \(names.lengthFromDuration) to have the entry end as much earlier.
        """
        : """
        The row has a break and a length, and no end, so it is not clear whether the break is in the length. Give it an end.
        """)
  }

  /// The row says that the work was shorter than its start and end are apart.
  ///
  /// - Parameters:
  ///   - stated: The length that the row states, in seconds.
  ///   - span: The time between its start and end, in seconds.
  static func durationMismatch(stated: Int64, span: Int64, _ names: ImportSettingNames) -> ImportRefusal {
    ImportRefusal(
      code: "duration_mismatch",
      detail: """
        The row says that it is \(words(stated)) long, and its start and end are \(words(span)) apart. Correct it, or state \
        \(names.lengthFromDuration) to have the entry end \(words(stated)) after its start.
        """)
  }

  /// A length such as 7:30:00.
  private static func words(_ seconds: Int64) -> String {
    func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3_600):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
  }

  /// An earlier row of the file has its time.
  package static let overlapInFile = ImportRefusal(
    code: "overlap", detail: "The time overlaps an earlier row of this file, of the same member.")

  /// An entry of exactly this time is there, and its notes, project, task or tags are not the row's.
  package static let otherEntry = ImportRefusal(
    code: "overlap",
    detail:
      "An entry of exactly this time is there already, with other notes or for another project, task or tags."
  )

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
  /// - Parameter words: Their name, at the beginning of a sentence.
  static func words(_ words: String, _ error: TimeclockError) -> ImportRefusal {
    ImportRefusal(code: error.code, detail: "\(words): \(error.detail)")
  }

  /// The row says whose it is only by an id of another service.
  package static func idUnknown(_ id: String, _ names: ImportSettingNames) -> ImportRefusal {
    memberUnknown(
      "The row has no name and no e-mail address, only the id \"\(Text.quotable(id))\" of another service. "
        + names.adviceOnIDs)
  }

  /// No member is known as the row's owner.
  package static func memberUnknown(_ detail: String) -> ImportRefusal {
    ImportRefusal(code: "member_unknown", detail: detail)
  }
}
