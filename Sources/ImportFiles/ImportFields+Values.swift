import TimeclockDomain

extension ImportFields {
  /// Returns the owner that the row names by e-mail address and name.
  var personWithEmail: ImportPerson {
    self[.email].isEmpty ? .unstated : .email(self[.email], name: self[.user])
  }

  /// Reads the date in a field.
  ///
  /// - Throws: `ImportRefusal`.
  func date(_ column: ImportColumn, _ order: DateOrder) throws -> LocalDate {
    guard let date = StatedDate(self[column])?.date(order) else {
      throw malformed(column, "is no date such as 2026-11-20")
    }
    return date
  }

  /// Reads the date and time in a field.
  ///
  /// - Throws: `ImportRefusal`.
  func time(_ column: ImportColumn) throws -> ImportTime {
    guard let time = StatedInstant.time(self[column]) else {
      throw malformed(column, "is no time such as 2026-11-20T09:00:00Z or 2026-11-20 09:00")
    }
    return time
  }

  /// Reads what the time was; an empty field says work.
  ///
  /// - Throws: `ImportRefusal` for an unknown word, which may be that of a break in another language.
  func kind(_ column: ImportColumn) throws -> ImportRowKind {
    guard let kind = StatedKind.kind(self[column]) else {
      throw malformed(
        column, "says \"\(self[column])\", and has to say work, break or time off: nothing else is known here")
    }
    return kind
  }

  /// Returns a description of the work, `Client / Project / Task: description [tags]`, from the parts that the row has.
  func notes(_ description: String, tags: String = "") -> String {
    let place = [self[.client], self[.project], self[.task]].filter { !$0.isEmpty }.joined(separator: " / ")
    let words = [place, description].filter { !$0.isEmpty }.joined(separator: ": ")
    return [words, tags.isEmpty ? "" : "[\(tags)]"].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Makes a refusal of the row because of one field.
  func malformed(_ column: ImportColumn, _ fault: String) -> ImportRefusal {
    .malformed("The column \"\(column.names[0])\" \(self[column].isEmpty ? "is empty" : fault).")
  }
}
