import HTTPMessages
import TimeclockDomain

/// Takes a query's parameters one by one and collects their faults.
///
/// After the last parameter call `finish()`, which throws if there was any fault.
final class QueryReader {
  private var parameters: [String: String] = [:]
  /// All parameters as they were sent, including those that have been taken since.
  private(set) var sentParameters: [String: String] = [:]
  private var problems: [ProblemDetail] = []
  /// The parameters that were asked for while some had not been taken.
  private var known: [String] = []

  /// Reads `name=value` pairs between `&`, percent-decoded; a plus sign is a plus sign (RFC 3986).
  init(_ query: String?) {
    guard let query, !query.isEmpty else { return }
    for pair in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(parts[0]),
        let value = parts.count == 2 ? PercentEncoding.decode(parts[1]) : ""
      else {
        refuse("", code: "invalid", "is not valid UTF-8")
        continue
      }
      guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
        refuse("", code: "unknown", "has an unknown parameter")
        continue
      }
      if parameters.updateValue(value, forKey: name) != nil {
        refuse(name, code: "repeated", "is repeated")
      }
    }
    sentParameters = parameters
  }

  /// Throws if any parameter was of the wrong form, repeated, or not asked for.
  func finish() throws {
    for name in parameters.keys.sorted() {
      refuse(name, code: "unknown", ProblemDetail.unknown(name, known: known, after: problems.count))
    }
    guard problems.isEmpty else {
      throw RequestError.invalidParameter(ProblemDetail.shown(problems))
    }
  }

  func date(_ name: String) -> LocalDate? {
    value(name, "a date such as 2026-11-20") { LocalDate(iso8601: $0) }
  }

  /// Takes a date, or `today` for the caller's.
  func dateOrToday(_ name: String) -> RequestedDates? {
    value(name, "a date such as 2026-11-20, or today") { text in
      text == "today"
        ? RequestedDates(.today) : LocalDate(iso8601: text).map { RequestedDates(from: $0, through: $0) }
    }
  }

  /// Takes the dates of a list: `startDate` and `endDate`, or `range` instead of both.
  func dates() -> RequestedDates {
    refuse("range", beside: "startDate", "endDate")
    let stated = RequestedDates(from: date("startDate"), through: date("endDate"))
    return (choice("range") as CalendarRange?).map(RequestedDates.init) ?? stated
  }

  func identifier<Subject>(_ name: String) -> Identifier<Subject>? {
    value(name, "an id") { Identifier($0) }
  }

  /// The members of whom something is wanted.
  func members() -> WantedMembers {
    WantedMembers(userID: identifier("userId"), groupID: identifier("groupId"))
  }

  /// Takes a UUID of any kind. One that cannot be of this service becomes an id of nothing.
  func anyIdentifier<Subject>(_ name: String) -> Identifier<Subject>? {
    value(name, "a UUID") { Identifier(anyUUID: $0) }
  }

  /// Takes an id, or `me` for the caller's own.
  func identifier<Subject>(_ name: String, me own: Identifier<Subject>) -> Identifier<Subject>? {
    value(name, "an id or me") { $0 == "me" ? own : Identifier($0) }
  }

  /// Takes `true` or `false`; nil if neither is stated.
  func bool(_ name: String) -> Bool? {
    value(name, "true or false") { ["true": true, "false": false][$0] }
  }

  /// Refuses a parameter that makes no sense together with others.
  func refuse(_ name: String, beside others: String...) {
    guard sentParameters[name] != nil else { return }
    for other in others where sentParameters[other] != nil {
      refuse(other, code: "conflict", "cannot be combined with \(name)")
    }
  }

  func choice<Choice: RawRepresentable & CaseIterable & Sendable>(_ name: String) -> Choice?
  where Choice.RawValue == String {
    value(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
      Choice(word: $0)
    }
  }

  /// Takes different words between commas, in their order.
  func choices<Choice: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ name: String, atMost limit: Int = Choice.allCases.count
  ) -> [Choice]? where Choice.RawValue == String {
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    return several(name, "ones of \(words)", atMost: limit) { Choice(word: $0) }
  }

  /// Takes different ids between commas, in their order.
  func identifiers<Subject>(_ name: String, atMost limit: Int) -> [Identifier<Subject>] {
    several(name, "ids", atMost: limit) { Identifier($0) } ?? []
  }

  /// Takes different values between commas, in their order.
  func several<Value: Hashable>(
    _ name: String, _ expectation: String, atMost limit: Int, _ convert: (String) -> Value?
  ) -> [Value]? {
    value(name, "one to \(limit) different \(expectation), between commas") { text in
      let parts = text.split(separator: ",", maxSplits: limit, omittingEmptySubsequences: false)
      let values = parts.compactMap { convert(String($0)) }
      let isSound =
        values.count == parts.count && values.count <= limit && Set(values).count == values.count
      return isSound ? values : nil
    }
  }

  /// Takes an instant with its offset, as RFC 3339 writes it.
  func instant(_ name: String) -> Instant? {
    value(name, "an instant such as 2026-11-20T09:00:00Z") { Instant(rfc3339: $0) }
  }

  /// Takes any text.
  func text(_ name: String) -> String? {
    value(name, "text") { $0 }
  }

  /// Takes words to look for: at most 200 code points, not all of them white space.
  func search(_ name: String) -> String? {
    value(name, "1 to \(MemberFilter.maximumCharacters) characters, not only spaces") { text in
      let isSound =
        text.unicodeScalars.count <= MemberFilter.maximumCharacters && !text.allSatisfy(\.isWhitespace)
      return isSound ? text : nil
    }
  }

  /// Takes a parameter that must be stated.
  func require<Value>(_ name: String, _ value: Value?, else placeholder: Value) -> Value {
    if value == nil, sentParameters[name] == nil { refuse(name, code: "missing", "is missing") }
    return value ?? placeholder
  }

  /// Takes one of some names.
  ///
  /// - Parameter kind: The kind of thing named, such as `an operation`. They may be more than a sentence can hold: it
  ///   names the nearest one, else a few.
  func name(_ name: String, of kind: String, among known: [String]) -> String? {
    guard let stated = sentParameters[name], !known.contains(stated) else { return value(name, "") { $0 } }
    let examples = SimilarNames.nearest(to: stated, among: known) ?? known.prefix(5).joined(separator: ", ")
    return value(name, "\(kind) such as \(examples)") { _ in nil }
  }

  /// Takes a place in a sequence: an integer from 0 to 9007199254740991.
  func sequence(_ name: String) -> Int64? {
    value(name, "an integer from 0 to 9007199254740991") { text in
      guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int64(text), number <= 9_007_199_254_740_991
      else { return nil }
      return number
    }
  }

  /// Takes the epoch of a log of changes.
  func epoch(_ name: String) -> LogEpoch? {
    value(name, "the epoch of a log, 16 digits from 0 to f") { LogEpoch($0) }
  }

  /// Takes the most rows that a list may have: 1 to 1,000, and 100 if nothing is stated.
  func limit() -> Int {
    value("limit", "an integer from 1 to 1000") { text in
      guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let limit = Int(text), (1...1_000).contains(limit)
      else { return nil }
      return limit
    } ?? 100
  }

  /// Takes the place from which the list continues; nil for its beginning.
  func cursor<Cursor: ListCursor>(in list: ListIdentity) -> Cursor? {
    value("cursor", "a nextCursor of this list") { Cursor(text: $0, in: list) }
  }

  /// Takes a value of a form that `convert` reads; nil if it is left out.
  func value<Value>(_ name: String, _ expectation: String, _ convert: (String) -> Value?) -> Value? {
    // Most requests have no query, and looking into it would cost them time.
    guard !parameters.isEmpty else { return nil }
    known.append(name)
    guard let text = parameters.removeValue(forKey: name) else { return nil }
    let value = convert(text)
    if value == nil { refuse(name, code: "invalid", "must be \(expectation)") }
    return value
  }

  private func refuse(_ name: String, code: String, _ detail: String) {
    problems.append(ProblemDetail(place: .query, location: name, code: code, detail: detail))
  }
}
