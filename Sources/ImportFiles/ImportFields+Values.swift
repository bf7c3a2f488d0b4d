import TimeclockDomain

extension ImportFields {
  /// The owner of the row, by e-mail address if it has one, else by name, else by an id. An address may stand where the
  /// name is expected.
  var person: ImportPerson {
    let name = name
    if !self[.email].isEmpty { return .email(self[.email], name: name) }
    if name.contains("@") { return .email(name, name: nil) }
    if !name.isEmpty { return .name(name) }
    return self[.userID].isEmpty ? .unstated : .id(self[.userID])
  }

  private var name: String {
    let parts = [self[.firstName], self[.lastName]].filter { !$0.isEmpty }
    return parts.isEmpty ? self[.user] : parts.joined(separator: " ")
  }

  /// Reads the date in a field.
  ///
  /// - Throws: `ImportRefusal`.
  func date(_ column: ImportColumn, _ order: DateOrder) throws -> LocalDate {
    guard let date = StatedDate(self[column])?.date(order) else {
      throw malformed(column, "which is no date such as 2026-11-20")
    }
    return date
  }

  /// Reads the time of day in a field, in milliseconds since midnight.
  ///
  /// - Throws: `ImportRefusal`.
  func timeOfDay(_ column: ImportColumn) throws -> Int64 {
    guard let millisecondOfDay = StatedTime.millisecondOfDay(self[column]) else {
      throw malformed(column, "which is no time of day such as 09:30 or 9:30 AM")
    }
    return millisecondOfDay
  }

  /// Reads the date and time in a field.
  ///
  /// - Throws: `ImportRefusal`.
  func time(_ column: ImportColumn, _ order: DateOrder) throws -> ImportTime {
    guard let time = StatedInstant.time(self[column], order) else {
      throw malformed(column, "which is no time such as 2026-11-20T09:00:00Z or 2026-11-20 09:00")
    }
    return time
  }

  /// The row's own zone; nil if it states none.
  var timeZone: String? { self[.timeZone].isEmpty ? nil : self[.timeZone] }

  /// The length of time that the row states, in seconds; nil if it states none.
  ///
  /// - Throws: `ImportRefusal` for one that cannot be read: an entry may then be longer than it says.
  var seconds: Int64? {
    get throws {
      let stated = [ImportColumn.duration, .durationDecimal].filter { !self[$0].isEmpty }
      for column in stated {
        if let seconds = StatedDuration.seconds(self[column]) { return seconds }
      }
      guard let column = stated.first else { return nil }
      throw malformed(column, "which is no length of time such as 07:30:00 or 7.5")
    }
  }

  /// Returns the end of an entry whose row has a length instead of an end.
  ///
  /// - Throws: `ImportRefusal.stillRunning` if it has no length either, or none yet.
  func endByDuration() throws -> ImportEnd {
    guard let seconds = try seconds else { throw ImportRefusal.stillRunning }
    guard seconds > 0 else { throw ImportRefusal.stillRunning }
    return .after(seconds: seconds)
  }

  /// The kind of the row's time; an empty field says work.
  var kind: ImportRowKind {
    get throws {
      if header.format == .kimai, let kind = try kimaiKind { return kind }
      guard let kind = StatedKind.kind(self[.kind]) else {
        throw malformed(.kind, "and has to say work, break or time off: nothing else is known here")
      }
      return kind
    }
  }

  /// The kind of the row's time by Kimai's category; nil if the category says nothing. Rows of another type than a
  /// timesheet, such as expenses, are no time at all.
  private var kimaiKind: ImportRowKind? {
    get throws {
      let type = self[.kind].lowercasedASCII
      guard ["", "timesheet"].contains(type) else { throw ImportRefusal.notWork(calledBy: self[.kind]) }
      // Overtime and parental time are taken off; worked time is called work.
      if ["overtime", "parental"].contains(self[.category].lowercasedASCII) { return .timeOff }
      guard let kind = StatedKind.kind(self[.category]) else {
        throw malformed(.category, "which is not known here")
      }
      return kind
    }
  }

  /// The length of the breaks within the row's time, in seconds; nil if it states none, or none of any length.
  ///
  /// - Throws: `ImportRefusal` for one that cannot be read, and for a whole number that may be hours or minutes.
  var breakSeconds: Int64? {
    get throws {
      let columns = [ImportColumn.breakMinutes, .breakLength].filter { !self[$0].isEmpty }
      guard let column = columns.first else { return nil }
      let text = self[column]
      let isNumber = text.utf8.allSatisfy { $0 &- 0x30 < 10 }
      if column == .breakLength, isNumber, Int(text) != 0 {
        throw malformed(
          column,
          "which may be hours or minutes: write 0:30 or 0.5, or call the column \"break (min)\" where it has minutes"
        )
      }
      guard let seconds = StatedDuration.seconds(text) else {
        throw malformed(column, "which is no length of time such as 00:30 or 0.5")
      }
      guard seconds > 0 else { return nil }
      return column == .breakMinutes && !text.contains(":") ? seconds / 60 : seconds
    }
  }

  /// A description of the work, `Client / Project / Task: description [tags]`, from the parts that the row has.
  var notes: String {
    let place = [self[.client], self[.project], self[.task]].filter { !$0.isEmpty }.joined(separator: " / ")
    let words = [place, self[.description]].filter { !$0.isEmpty }.joined(separator: ": ")
    // solidtime's export has ids in brackets instead of words.
    let tags = self[.tags].isEmpty || self[.tags].hasPrefix("[") ? "" : "[\(self[.tags])]"
    return [words, tags].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The project and the task of the row, and the words about them; nil if it has neither.
  ///
  /// - Throws: `ImportRefusal`.
  var purpose: ImportPurpose? {
    get throws {
      guard !self[.project].isEmpty || !self[.task].isEmpty else { return nil }
      return ImportPurpose(
        client: self[.client], project: self[.project], task: self[.task], description: self[.description],
        tags: tags, isBillable: try isBillable)
    }
  }

  /// The words between commas. solidtime's export has ids in brackets instead.
  private var tags: [String] {
    guard !self[.tags].hasPrefix("[") else { return [] }
    return self[.tags].split(separator: ",").map { Text.trimmed(String($0)) }.filter { !$0.isEmpty }
  }

  /// Whether the row says that its time is billable; nil if it does not say.
  private var isBillable: Bool? {
    get throws {
      guard !self[.billable].isEmpty else { return nil }
      guard let isBillable = StatedAnswer.isYes(self[.billable]) else {
        throw malformed(.billable, "and has to say yes or no")
      }
      return isBillable
    }
  }

  /// Makes a refusal of the row because of one field, which it quotes.
  ///
  /// - Parameter fault: The end of a sentence about a field that is not empty, from the comma behind its text on.
  func malformed(_ column: ImportColumn, _ fault: String = "") -> ImportRefusal {
    let words = self[column].isEmpty ? "is empty" : "says \"\(Text.quotable(self[column]))\", \(fault)"
    return .malformed("The column \"\(header.name(of: column))\" \(words).")
  }
}
