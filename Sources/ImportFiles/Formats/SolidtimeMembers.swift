import TimeclockDomain

/// The `members.csv` of solidtime's export of an organization: the people behind the ids in its `time_entries.csv`.
package enum SolidtimeMembers {
  /// Returns the people by their ids.
  ///
  /// - Throws: `ImportFileError.malformed`.
  package static func people(of bytes: [UInt8]) throws -> [String: ImportPerson] {
    let records = DelimitedText.records(of: bytes)
    guard let first = records.first else { throw ImportFileError.malformed("The file is empty.") }
    let header = try fields(of: first).map(ImportHeader.key)
    func place(_ name: String) throws -> Int {
      guard let place = header.firstIndex(of: ImportHeader.key(name)) else {
        throw ImportFileError.malformed(
          "The first line has no column \"\(name)\", so this is no members.csv of a solidtime export.")
      }
      return place
    }
    let (id, name, email) = (try place("user_id"), try place("name"), try place("email"))
    var people: [String: ImportPerson] = [:]
    for record in records.dropFirst() {
      let fields = try fields(of: record)
      func text(_ place: Int) -> String { place < fields.count ? Text.trimmed(fields[place]) : "" }
      let isNamed = !text(email).isEmpty || !text(name).isEmpty
      guard !text(id).isEmpty, isNamed else { continue }
      people[text(id)] =
        text(email).isEmpty ? .name(text(name)) : .email(text(email), name: text(name))
    }
    return people
  }

  private static func fields(of record: DelimitedRecord) throws -> [String] {
    switch record.fields {
    case .success(let fields): return fields
    case .failure(let fault):
      throw ImportFileError.malformed("Line \(record.line): \(fault.detail)")
    }
  }
}
