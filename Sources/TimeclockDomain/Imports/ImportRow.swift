/// One entry as a file states it, before its owner and the zone of its clocks are known.
package struct ImportRow: Hashable, Sendable {
  package var person: ImportPerson
  package var clockIn: ImportTime
  package var clockOut: ImportEnd
  /// The length of the entry as the row states it, in seconds; nil if the row states none. Decides between two readings
  /// of a time that clocks showed twice; and no entry is longer, except by cutting to minutes (`ImportTimes`).
  package var statedSeconds: Int64?
  /// The length of the breaks within, of which the row does not say when they were, in seconds; nil if it states none.
  package var breakSeconds: Int64?
  /// The row's own IANA zone name.
  package var timeZone: String?
  package var notes: String?
  /// The purpose of the time; nil if the import keeps that as notes, or the row does not say.
  package var purpose: ImportPurpose?
  /// Only `.work` becomes an entry.
  package var kind: ImportRowKind

  package init(
    person: ImportPerson, clockIn: ImportTime, clockOut: ImportEnd, statedSeconds: Int64? = nil,
    breakSeconds: Int64? = nil, timeZone: String? = nil, notes: String? = nil, purpose: ImportPurpose? = nil,
    kind: ImportRowKind = .work
  ) {
    self.person = person
    self.clockIn = clockIn
    self.clockOut = clockOut
    self.statedSeconds = statedSeconds
    self.breakSeconds = breakSeconds
    self.timeZone = timeZone
    self.notes = notes
    self.purpose = purpose
    self.kind = kind
  }
}

/// The project and the task of a row, and the words about them, as the file has them. A text is empty if it has none.
package struct ImportPurpose: Hashable, Sendable {
  package var client: String
  package var project: String
  package var task: String
  package var description: String
  package var tags: [String]
  /// Nil if the row does not say.
  package var isBillable: Bool?

  package init(
    client: String, project: String, task: String, description: String, tags: [String], isBillable: Bool?
  ) {
    self.client = client
    self.project = project
    self.task = task
    self.description = description
    self.tags = tags
    self.isBillable = isBillable
  }
}

/// The kind of a row's time, as other services distinguish it.
package enum ImportRowKind: Hashable, Sendable {
  case work
  case rest
  /// A holiday, vacation, sick leave, or any other day without work.
  case timeOff
}

/// The owner of a row's entry.
package enum ImportPerson: Hashable, Sendable {
  /// The person with this e-mail address, who becomes a member if no member has it.
  case email(String, name: String?)
  /// The one member with exactly this name.
  case name(String)
  /// The person with this id in the other service, unknown here.
  case id(String)
  /// The row does not say: the member that the import's settings name.
  case unstated
}

/// A time as a file states it.
package enum ImportTime: Hashable, Sendable {
  case instant(Instant)
  /// The time that a clock showed in a zone that the file does not name.
  case local(LocalTime)
  /// The moment `seconds` after a clock showed a time in a zone that the file does not name.
  case elapsed(seconds: Int64, since: LocalTime)
}

/// The end of an entry as a file states it.
package enum ImportEnd: Hashable, Sendable {
  case time(ImportTime)
  /// The moment `seconds` after the start.
  case after(seconds: Int64)
  /// The time of day that a clock showed, in milliseconds since midnight, on the date of the start or on a later one.
  case clock(millisecondOfDay: Int64, startDate: LocalDate)
}

/// One place of a file: a row, or the reason why there is none.
package struct ImportLine: Sendable {
  /// The line of the file in which it begins, from 1 on.
  package var line: Int
  package var row: Result<ImportRow, ImportRefusal>

  package init(line: Int, row: Result<ImportRow, ImportRefusal>) {
    self.line = line
    self.row = row
  }
}
