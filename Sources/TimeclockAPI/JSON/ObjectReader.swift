import TimeclockDomain

/// Takes a body's members one by one and collects their faults, so that a client learns all of them at once.
///
/// Null counts as absent for optional members. After the last member call `finish()`, which throws if
/// there was any fault; until then the values of faulty members are placeholders.
final class ObjectReader {
  private var members: [String: JSONValue] = [:]
  /// The names that were asked for while some members had not been taken.
  private var known: [String] = []
  /// Whether members that nobody asks for are passed over; otherwise they are refused.
  var ignoresUnknownMembers = false
  private let pointer: String
  private let problems: ProblemList

  final class ProblemList {
    var entries: [ProblemDetail] = []
  }

  /// Makes a reader of this object.
  convenience init(_ members: [JSONValue.Member]) {
    self.init(members, pointer: "", problems: ProblemList())
  }

  private init(_ members: [JSONValue.Member], pointer: String, problems: ProblemList) {
    for member in members { self.members[member.name] = member.value }
    self.pointer = pointer
    self.problems = problems
  }

  /// Throws if any member was missing, of the wrong type, or not asked for.
  func finish() throws {
    refuseUnknownMembers()
    guard problems.entries.isEmpty else {
      throw RequestError.invalidBody(ProblemDetail.shown(problems.entries))
    }
  }

  /// All faults, in the place of `finish()`.
  func faults() -> [ProblemDetail] {
    refuseUnknownMembers()
    return problems.entries
  }

  /// Notes a fault of a member.
  func refuse(_ name: String, code: String, _ detail: String) {
    problems.entries.append(
      ProblemDetail(place: .body, location: pointer + "/" + Self.escaped(name), code: code, detail: detail))
  }

  /// Whether a fault of the body was noted.
  var isFaulty: Bool { !problems.entries.isEmpty }

  /// Whether the member was sent at all, null included.
  func has(_ name: String) -> Bool {
    members[name] != nil
  }

  func string(_ name: String) -> String {
    required(name, "a string") { if case .string(let text) = $0 { text } else { nil } } ?? ""
  }

  func optionalString(_ name: String) -> String? {
    optional(name, "a string") { if case .string(let text) = $0 { text } else { nil } }
  }

  func bool(_ name: String) -> Bool {
    required(name, "true or false") { if case .bool(let value) = $0 { value } else { nil } } ?? false
  }

  func optionalBool(_ name: String) -> Bool? {
    optional(name, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  func integer(_ name: String) -> Int64 {
    required(name, "an integer", Self.integer) ?? 0
  }

  func optionalInteger(_ name: String) -> Int64? {
    optional(name, "an integer", Self.integer)
  }

  /// Reads a member that is an array of integers.
  func integers(_ name: String) -> [Int64] {
    required(name, "an array of integers", Self.integers) ?? []
  }

  func optionalIntegerList(_ name: String) -> [Int64]? {
    optional(name, "an array of integers", Self.integers)
  }

  /// Reads a member that is a number with up to four decimal places, in ten-thousandths.
  func tenThousandths(_ name: String) -> Int64 {
    required(name, Self.decimalForm, Self.tenThousandths) ?? 0
  }

  func optionalTenThousandths(_ name: String) -> Int64? {
    optional(name, Self.decimalForm, Self.tenThousandths)
  }

  /// Reads an optional member that counts: an integer from 0 to 9007199254740991.
  func optionalSequence(_ name: String) -> Int64? {
    optional(name, "an integer from 0 to 9007199254740991") { value in
      Self.integer(value).flatMap { (0...9_007_199_254_740_991).contains($0) ? $0 : nil }
    }
  }

  /// Reads an optional member that is an object of integers under any names.
  func optionalIntegers(_ name: String) -> [String: Int64]? {
    optional(name, "an object of integers, each name once") { value in
      guard case .object(let members) = value else { return nil }
      var numbers: [String: Int64] = [:]
      for member in members {
        guard let number = Self.integer(member.value), numbers.updateValue(number, forKey: member.name) == nil
        else { return nil }
      }
      return numbers
    }
  }

  func instant(_ name: String) -> Instant {
    required(name, Self.instantForm, Self.instant) ?? Instant(millisecondsSince1970: 0)
  }

  func optionalInstant(_ name: String) -> Instant? {
    optional(name, Self.instantForm, Self.instant)
  }

  func date(_ name: String) -> LocalDate {
    required(name, Self.dateForm, Self.date) ?? LocalDate(daysSince1970: 0)
  }

  func optionalDate(_ name: String) -> LocalDate? {
    optional(name, Self.dateForm, Self.date)
  }

  /// Reads a date or null, which has to be stated.
  func dateOrNull(_ name: String) -> LocalDate? {
    let read = { (value: JSONValue) -> LocalDate?? in
      if value == .null { return .some(nil) }
      guard let date = Self.date(value) else { return nil }
      return .some(date)
    }
    return required(name, "\(Self.dateForm), or null", read) ?? nil
  }

  func identifier<Subject>(_ name: String) -> Identifier<Subject> {
    required(name, "an id", Self.identifier) ?? .ofNothing
  }

  func optionalIdentifier<Subject>(_ name: String) -> Identifier<Subject>? {
    optional(name, "an id", Self.identifier)
  }

  /// Reads a member that is an array of ids.
  func identifiers<Subject>(_ name: String, atMost count: Int) -> [Identifier<Subject>] {
    required(name, "an array of at most \(count) ids", Self.identifiers(atMost: count)) ?? []
  }

  func optionalIdentifiers<Subject>(_ name: String, atMost count: Int) -> [Identifier<Subject>]? {
    optional(name, "an array of at most \(count) ids", Self.identifiers(atMost: count))
  }

  private static func identifiers<Subject>(atMost count: Int) -> (JSONValue) -> [Identifier<Subject>]? {
    { value in
      guard case .array(let elements) = value, elements.count <= count else { return nil }
      let ids = elements.compactMap { Self.identifier($0) as Identifier<Subject>? }
      return ids.count == elements.count ? ids : nil
    }
  }

  /// Reads a member that is a UUID of any kind. One that cannot be of this service becomes an id of nothing.
  func anyIdentifier<Subject>(_ name: String) -> Identifier<Subject> {
    required(name, "a UUID") { if case .string(let text) = $0 { Identifier(anyUUID: text) } else { nil } }
      ?? .ofNothing
  }

  /// Reads a member that is one of some words.
  func word(_ name: String, of words: [String]) -> String? {
    required(name, Self.oneOf(words), Self.word(of: words))
  }

  func optionalWord(_ name: String, of words: [String]) -> String? {
    optional(name, Self.oneOf(words), Self.word(of: words))
  }

  func choice<Choice: RawRepresentable & CaseIterable & Sendable>(_ name: String) -> Choice?
  where Choice.RawValue == String {
    required(name, Self.oneOf(Choice.self), Self.choice)
  }

  func optionalChoice<Choice: RawRepresentable & CaseIterable & Sendable>(_ name: String) -> Choice?
  where Choice.RawValue == String {
    optional(name, Self.oneOf(Choice.self), Self.choice)
  }

  /// Reads a member that is an array of choices, of at least one. One that stands there twice counts once.
  func choices<Choice: RawRepresentable & CaseIterable & Hashable & Sendable>(_ name: String) -> Set<Choice>
  where Choice.RawValue == String {
    required(name, "an array of one or more, each \(Self.oneOf(Choice.self))", Self.choiceSet) ?? []
  }

  /// Reads an optional member that is an array of choices, of at least one. One that stands there twice counts once.
  func optionalChoices<Choice: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ name: String
  ) -> Set<Choice>? where Choice.RawValue == String {
    optional(name, "an array of one or more, each \(Self.oneOf(Choice.self))", Self.choiceSet)
  }

  /// Reads an optional member that is an array of choices, of any number. One that stands there twice counts once.
  func optionalChoicesOrNone<Choice: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ name: String
  ) -> Set<Choice>? where Choice.RawValue == String {
    optional(name, "an array, each \(Self.oneOf(Choice.self))") { value in
      if case .array(let elements) = value, elements.isEmpty { [] } else { Self.choiceSet(value) }
    }
  }

  private static func choiceSet<Choice: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ value: JSONValue
  ) -> Set<Choice>? where Choice.RawValue == String {
    guard case .array(let elements) = value, !elements.isEmpty else { return nil }
    let choices = elements.compactMap { Self.choice($0) as Choice? }
    return choices.count == elements.count ? Set(choices) : nil
  }

  /// Reads an optional member that is an array of strings.
  func optionalStrings(_ name: String) -> [String]? {
    optional(name, "an array of strings") { value in
      guard case .array(let elements) = value else { return nil }
      let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } as String? }
      return texts.count == elements.count ? texts : nil
    }
  }

  /// Reads a member that is an object itself.
  func object<Value>(_ name: String, _ read: (ObjectReader) -> Value) -> Value? {
    required(name, "an object", child(name)).map { finishing($0, read) }
  }

  /// Reads an optional member that is an object itself.
  func optionalObject<Value>(_ name: String, _ read: (ObjectReader) -> Value) -> Value? {
    optional(name, "an object", child(name)).map { finishing($0, read) }
  }

  /// Reads a member that is an array of objects, as many as `count` allows; elements that are not objects are left out.
  func objects<Value>(
    _ name: String, count: ClosedRange<Int>, _ read: (ObjectReader) -> Value
  ) -> [Value] {
    elements(required(name, Self.arrayForm(count), Self.array(count)), of: name, read) ?? []
  }

  /// Reads a member that is an array, whose elements are judged one by one: the faults of one are its own, and no others' or
  /// the body's.
  ///
  /// - Returns: Each element and its faults; a value with faults is a placeholder.
  func objectsOneByOne<Value>(
    _ name: String, count: ClosedRange<Int>, _ read: (ObjectReader) -> Value
  ) -> [(value: Value, faults: [ProblemDetail])] {
    let form = "an array of \(count.lowerBound) to \(count.upperBound) elements"
    let elements = required(name, form, Self.array(count)) ?? []
    return elements.enumerated().map { index, element in
      let problems = ProblemList()
      let array = ObjectReader([], pointer: pointer + "/" + Self.escaped(name), problems: problems)
      let reader = array.converted(String(index), element, "an object", array.child(String(index)))
      // An element that is no object would lack every required member, which adds nothing.
      guard let reader else { return (read(Self.empty), ProblemDetail.shown(problems.entries)) }
      let value = finishing(reader, read)
      return (value, ProblemDetail.shown(problems.entries))
    }
  }

  /// A reader of nothing, whose faults nobody sees.
  private static var empty: ObjectReader { ObjectReader([]) }

  /// Reads an optional member that is an array of objects.
  ///
  /// - Parameter limit: The most objects that the array may have.
  func optionalObjects<Value>(
    _ name: String, atMost limit: Int, _ read: (ObjectReader) -> Value
  ) -> [Value]? {
    elements(optional(name, Self.arrayForm(0...limit), Self.array(0...limit)), of: name, read)
  }

  private func elements<Value>(
    _ elements: [JSONValue]?, of name: String, _ read: (ObjectReader) -> Value
  ) -> [Value]? {
    let array = ObjectReader([], pointer: pointer + "/" + Self.escaped(name), problems: problems)
    return elements?.enumerated().compactMap { index, element in
      array.converted(String(index), element, "an object", array.child(String(index)))
        .map { finishing($0, read) }
    }
  }

  private static func arrayForm(_ count: ClosedRange<Int>) -> String {
    "an array of \(count.lowerBound) to \(count.upperBound) objects"
  }

  private static func array(_ count: ClosedRange<Int>) -> (JSONValue) -> [JSONValue]? {
    { value in
      if case .array(let elements) = value, count.contains(elements.count) { elements } else { nil }
    }
  }

  private func child(_ name: String) -> (JSONValue) -> ObjectReader? {
    { [pointer, problems] value in
      guard case .object(let members) = value else { return nil }
      return ObjectReader(members, pointer: pointer + "/" + Self.escaped(name), problems: problems)
    }
  }

  private func finishing<Value>(_ reader: ObjectReader, _ read: (ObjectReader) -> Value) -> Value {
    defer { reader.refuseUnknownMembers() }
    return read(reader)
  }

  private func required<Value>(
    _ name: String, _ expectation: String, _ convert: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = take(name) else {
      refuse(name, code: "missing", "is missing")
      return nil
    }
    return converted(name, value, expectation, convert)
  }

  private func optional<Value>(
    _ name: String, _ expectation: String, _ convert: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = take(name), value != .null else { return nil }
    return converted(name, value, expectation, convert)
  }

  private func take(_ name: String) -> JSONValue? {
    guard !members.isEmpty else { return nil }
    known.append(name)
    return members.removeValue(forKey: name)
  }

  private func converted<Value>(
    _ name: String, _ value: JSONValue, _ expectation: String, _ convert: (JSONValue) -> Value?
  ) -> Value? {
    let converted = convert(value)
    if converted == nil { refuse(name, code: "invalid", "must be \(expectation)") }
    return converted
  }

  private func refuseUnknownMembers() {
    guard !members.isEmpty, !ignoresUnknownMembers else { return }
    for name in members.keys.sorted() {
      refuse(name, code: "unknown", ProblemDetail.unknown(name, known: known, after: problems.entries.count))
    }
  }

  private static let instantForm = "a date-time with an offset, such as 2026-11-20T09:00:00.000Z"

  private static let dateForm = "a date such as 2026-11-20"

  private static func date(_ value: JSONValue) -> LocalDate? {
    if case .string(let text) = value { LocalDate(iso8601: text) } else { nil }
  }

  private static let decimalForm = "a number with up to four decimal places"

  /// The nearest number of ten-thousandths, as far as a `Double` tells them apart.
  private static func tenThousandths(_ value: JSONValue) -> Int64? {
    switch value {
    case .integer(let number):
      let (count, overflows) = number.multipliedReportingOverflow(by: 10_000)
      // Far beyond every rule.
      return overflows ? (number < 0 ? .min : .max) : count
    case .number(let number):
      let (exact, count) = (number * 10_000, (number * 10_000).rounded())
      return abs(number) < 1e9 && abs(exact - count) <= max(1e-6, abs(exact) * 1e-12) ? Int64(count) : nil
    default: return nil
    }
  }

  private static func integers(_ value: JSONValue) -> [Int64]? {
    guard case .array(let elements) = value else { return nil }
    let numbers = elements.compactMap(integer)
    return numbers.count == elements.count ? numbers : nil
  }

  private static func integer(_ value: JSONValue) -> Int64? {
    if case .integer(let number) = value { number } else { nil }
  }

  private static func instant(_ value: JSONValue) -> Instant? {
    if case .string(let text) = value { Instant(rfc3339: text) } else { nil }
  }

  private static func identifier<Subject>(_ value: JSONValue) -> Identifier<Subject>? {
    if case .string(let text) = value { Identifier(text) } else { nil }
  }

  private static func choice<Choice: RawRepresentable & Sendable>(_ value: JSONValue) -> Choice?
  where Choice.RawValue == String {
    if case .string(let text) = value { Choice(word: text) } else { nil }
  }

  private static func oneOf<Choice: RawRepresentable & CaseIterable & Sendable>(_ type: Choice.Type) -> String
  where Choice.RawValue == String { oneOf(Choice.allCases.map(\.rawValue)) }

  private static func oneOf(_ words: [String]) -> String { "one of " + words.joined(separator: ", ") }

  /// A text that is not ASCII is never compared.
  private static func word(of words: [String]) -> (JSONValue) -> String? {
    { value in
      guard case .string(let text) = value, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
      return words.contains(text) ? text : nil
    }
  }

  /// Escapes a member's name for a JSON pointer (RFC 6901, section 3).
  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
      case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension RawRepresentable where RawValue == String {
  /// Returns the choice with this word; a text that is not ASCII is never compared.
  init?(word: String) {
    guard word.utf8.count <= 64, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: word)
  }
}
