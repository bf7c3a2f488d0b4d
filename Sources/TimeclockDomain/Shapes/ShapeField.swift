/// A value that the records of a shape have.
package struct ShapeField<Record>: Sendable {
  /// The kinds of values, each with its place in the record. Each module reads them by one switch.
  package enum Kind: Sendable {
    case text(Place<String>)
    case number(Place<Int64>)
    /// In a row the numbers with commas between them.
    case numbers(Place<[Int64]>)
    /// In a row and in the log a text, as policies have them.
    case breakRules(Place<[BreakRule]>)
    /// In ten-thousandths everywhere but in bodies and answers, where it is a number with up to four decimal places.
    case decimal(Place<Int64>)
    case flag(Place<Bool>)
    /// Days since 1970 in a row and in the log.
    case date(Place<LocalDate>)
    /// Milliseconds since 1970 in a row and in the log.
    case instant(Place<Instant>)
    /// The public id of a person; in a row too, for the person may be no member any more.
    case user(Place<UserID>)
    /// The public id of something else; in a row too, for it may be gone.
    case resource(Place<ResourceID>)
    /// One of the words; a text everywhere else.
    case choice(Place<String>, words: [String])
    /// The id of another record of the organization; in a row the number of that record's row.
    case reference(Place<ResourceID>, to: any ShapedRecord.Type)
    /// Members, each once, in the order of their ids. No column: each is a row of the table of the shape's people, with
    /// the part that they have.
    case people(Place<[UserID]>, part: String)
  }

  package typealias Path<Value> = WritableKeyPath<Record, Value> & Sendable

  /// Whether the body that makes a record states the field. A record of a body that does not has the field's default.
  package enum Creation: Sendable {
    case required
    /// And no change changes it.
    case requiredAndFixed
    case optional
    /// And no change changes it.
    case optionalAndFixed
    /// Only changes state it.
    case later
    /// No body states it: operations set it.
    case never

    package var isRequired: Bool { self == .required || self == .requiredAndFixed }
    package var isFixed: Bool { self == .requiredAndFixed || self == .optionalAndFixed }

    /// Whether a body may state the field.
    ///
    /// - Parameter isNew: Whether the body makes the record.
    package func isStated(forNew isNew: Bool) -> Bool {
      self != .never && (isNew ? self != .later : !isFixed)
    }
  }

  /// The name in bodies, in answers and in the log.
  package let name: StaticString
  /// The name in rows; nil for the same in the words of SQL. For names that SQL takes for its own.
  package let column: StaticString?
  package let kind: Kind
  package let creation: Creation
  /// Whether the value tells something of a person, so that it goes with the owner.
  package let isPersonal: Bool
  /// The word that takes the place of a choice that is personal; nil for other values.
  package let anonymousWord: String?
  /// Whether answers have it; else rows and the log alone do.
  package let isAnswered: Bool
  /// The name of the object in which it stands in bodies and answers; nil for the record itself.
  package private(set) var object: StaticString?
  /// Gives the second record the value of the first.
  package let copy: @Sendable (Record, inout Record) -> Void

  private init<Value>(
    _ name: StaticString, _ path: Path<Value>, _ kind: Kind, _ creation: Creation, isPersonal: Bool = false,
    anonymousWord: String? = nil, isAnswered: Bool = true, column: StaticString? = nil
  ) {
    self.name = name
    self.column = column
    self.kind = kind
    self.creation = creation
    self.isPersonal = isPersonal
    self.anonymousWord = anonymousWord
    self.isAnswered = isAnswered
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  /// The same field in an object of the record. Fields of one object stand behind each other.
  package func within(_ object: StaticString) -> ShapeField {
    var field = self
    field.object = object
    return field
  }
}

// Each kind of value, by the type of its property. A rule throws a refusal of a stated value, or returns the value to keep.
extension ShapeField {
  package static func text(
    _ name: StaticString, _ path: Path<String>, onCreate creation: Creation = .required,
    isPersonal: Bool = false, rule: @escaping @Sendable (String) throws -> String
  ) -> ShapeField {
    ShapeField(name, path, .text(Place(path, rule: rule)), creation, isPersonal: isPersonal)
  }

  package static func optionalText(
    _ name: StaticString, _ path: Path<String?>, onCreate creation: Creation = .optional,
    isPersonal: Bool = false, rule: @escaping @Sendable (String) throws -> String?
  ) -> ShapeField {
    ShapeField(name, path, .text(Place(optional: path, rule: rule)), creation, isPersonal: isPersonal)
  }

  package static func flag(
    _ name: StaticString, _ path: Path<Bool>, onCreate creation: Creation = .required,
    column: StaticString? = nil
  ) -> ShapeField {
    ShapeField(name, path, .flag(Place(path) { $0 }), creation, column: column)
  }

  package static func number(
    _ name: StaticString, _ path: Path<Int64>, onCreate creation: Creation = .required,
    rule: @escaping @Sendable (Int64) throws -> Int64
  ) -> ShapeField {
    ShapeField(name, path, .number(Place(path, rule: rule)), creation)
  }

  package static func optionalNumber(
    _ name: StaticString, _ path: Path<Int64?>, onCreate creation: Creation = .optional,
    rule: @escaping @Sendable (Int64) throws -> Int64
  ) -> ShapeField {
    ShapeField(name, path, .number(Place(optional: path, rule: rule)), creation)
  }

  package static func numbers(
    _ name: StaticString, _ path: Path<[Int64]>, onCreate creation: Creation = .required,
    rule: @escaping @Sendable ([Int64]) throws -> [Int64]
  ) -> ShapeField {
    ShapeField(name, path, .numbers(Place(path, rule: rule)), creation)
  }

  package static func breakRules(
    _ name: StaticString, _ path: Path<[BreakRule]>, onCreate creation: Creation = .required,
    rule: @escaping @Sendable ([BreakRule]) throws -> [BreakRule]
  ) -> ShapeField {
    ShapeField(name, path, .breakRules(Place(path, rule: rule)), creation)
  }

  /// - Parameter path: Ten-thousandths.
  package static func decimal(
    _ name: StaticString, _ path: Path<Int64>, onCreate creation: Creation = .required,
    rule: @escaping @Sendable (Int64) throws -> Int64
  ) -> ShapeField {
    ShapeField(name, path, .decimal(Place(path, rule: rule)), creation)
  }

  package static func date(
    _ name: StaticString, _ path: Path<LocalDate>, onCreate creation: Creation = .required,
    column: StaticString? = nil, rule: @escaping @Sendable (LocalDate) throws -> LocalDate = { $0 }
  ) -> ShapeField {
    ShapeField(name, path, .date(Place(path, rule: rule)), creation, column: column)
  }

  package static func optionalDate(
    _ name: StaticString, _ path: Path<LocalDate?>, onCreate creation: Creation = .optional,
    rule: @escaping @Sendable (LocalDate) throws -> LocalDate = { $0 }
  ) -> ShapeField {
    ShapeField(name, path, .date(Place(optional: path, rule: rule)), creation)
  }

  package static func optionalInstant(
    _ name: StaticString, _ path: Path<Instant?>, onCreate creation: Creation = .optional
  ) -> ShapeField {
    ShapeField(name, path, .instant(Place(optional: path) { $0 }), creation)
  }

  package static func user(
    _ name: StaticString, _ path: Path<UserID?>, onCreate creation: Creation = .optional,
    column: StaticString? = nil
  ) -> ShapeField {
    ShapeField(name, path, .user(Place(optional: path) { $0 }), creation, column: column)
  }

  package static func resource<Target>(
    _ name: StaticString, _ path: Path<Identifier<Target>?>, onCreate creation: Creation = .optional
  ) -> ShapeField {
    ShapeField(name, path, .resource(identifiers(path)), creation)
  }

  /// - Parameters:
  ///   - anonymous: The choice of an anonymous member, if the value is personal.
  ///   - isAnswered: Whether answers have it.
  package static func choice<Choice>(
    _ name: StaticString, _ path: Path<Choice>, onCreate creation: Creation = .required,
    afterAnonymizing anonymous: Choice? = nil, isAnswered: Bool = true
  ) -> ShapeField where Choice: RawRepresentable & CaseIterable & Sendable, Choice.RawValue == String {
    let place = Place<String>(isOptional: false) {
      $0[keyPath: path].rawValue
    } put: { word, record in
      if let choice = word.flatMap(Choice.init(rawValue:)) { record[keyPath: path] = choice }
    } rule: {
      $0
    }
    return ShapeField(
      name, path, .choice(place, words: Choice.allCases.map(\.rawValue)), creation,
      isPersonal: anonymous != nil, anonymousWord: anonymous?.rawValue, isAnswered: isAnswered)
  }

  /// Null is a value. The procedure that writes the record finds the row of the record that is referred to, and refuses a
  /// reference to nothing.
  package static func reference<Target: ShapedRecord>(
    _ name: StaticString, _ path: Path<Identifier<Target>?>, onCreate creation: Creation = .optional
  ) -> ShapeField {
    ShapeField(name, path, .reference(identifiers(path), to: Target.self), creation)
  }

  private static func identifiers<Target>(_ path: Path<Identifier<Target>?>) -> Place<ResourceID> {
    Place(isOptional: true) {
      $0[keyPath: path].map { ResourceID($0) }
    } put: {
      $1[keyPath: path] = $0.map { Identifier(high: $0.high, low: $0.low) }
    } rule: {
      $0
    }
  }

  /// The procedure that writes the record finds the members, and refuses somebody who is none.
  ///
  /// - Parameter part: The word for the part that they have, in the rows of people.
  package static func people(
    _ name: StaticString, _ path: Path<[UserID]>, part: String, onCreate creation: Creation = .optional
  ) -> ShapeField {
    ShapeField(name, path, .people(Place(path) { $0 }, part: part), creation)
  }
}

extension ShapeField {
  /// The place of a value in a record, and the rule for stated values. Values in a row or the log have met the rule.
  package struct Place<Value: Sendable>: Sendable {
    /// Whether null is a value.
    package let isOptional: Bool
    private let value: @Sendable (Record) -> Value?
    private let put: @Sendable (Value?, inout Record) -> Void
    let rule: @Sendable (Value) throws -> Value?

    fileprivate init(
      isOptional: Bool, value: @escaping @Sendable (Record) -> Value?,
      put: @escaping @Sendable (Value?, inout Record) -> Void,
      rule: @escaping @Sendable (Value) throws -> Value?
    ) {
      self.isOptional = isOptional
      self.value = value
      self.put = put
      self.rule = rule
    }

    fileprivate init(_ path: Path<Value>, rule: @escaping @Sendable (Value) throws -> Value) {
      self.init(isOptional: false) {
        $0[keyPath: path]
      } put: { value, record in
        if let value { record[keyPath: path] = value }
      } rule: {
        try rule($0)
      }
    }

    fileprivate init(optional path: Path<Value?>, rule: @escaping @Sendable (Value) throws -> Value?) {
      self.init(isOptional: true) {
        $0[keyPath: path]
      } put: {
        $1[keyPath: path] = $0
      } rule: {
        try rule($0)
      }
    }

    /// The value in a record; nil for null.
    package subscript(record: Record) -> Value? { value(record) }

    /// Puts a value into a record. Nil, where null is no value, leaves the record as it is.
    package func put(_ value: Value?, into record: inout Record) { put(value, &record) }
  }
}

extension [UserID] {
  /// Each once, in the order of the ids.
  var ordered: [UserID] { Set(self).sorted { ($0.high, $0.low) < ($1.high, $1.low) } }
}
