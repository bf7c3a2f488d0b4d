/// A value that the records of a shape have, which changes may change.
package struct ShapeField<Record>: Sendable {
  /// The kinds of values, each with its place in the record, and with the rule for stated values: it throws a refusal,
  /// or returns the value to keep. Values in a row or the log have met the rule.
  package enum Kind: Sendable {
    case text(Place<String>, rule: @Sendable (String) throws -> String)
    /// Null is a value.
    case optionalText(Place<String?>, rule: @Sendable (String) throws -> String?)
    case flag(Place<Bool>)
    /// Null is a value.
    case optionalNumber(Place<Int64?>, rule: @Sendable (Int64) throws -> Int64)
  }

  package typealias Place<Value> = WritableKeyPath<Record, Value> & Sendable

  /// Whether the body that makes a record states the field. A record of a body that does not has the field's default.
  package enum Creation: Sendable {
    case required
    case optional
    /// Only changes state it.
    case later
  }

  /// The name in bodies, in answers and in the log.
  package let name: StaticString
  package let kind: Kind
  package let creation: Creation
  /// Whether the value tells something of a person, so that it goes with the owner.
  package let isPersonal: Bool

  package static func text(
    _ name: StaticString, _ place: Place<String>, onCreate creation: Creation = .required,
    isPersonal: Bool = false, rule: @escaping @Sendable (String) throws -> String
  ) -> ShapeField {
    ShapeField(name: name, kind: .text(place, rule: rule), creation: creation, isPersonal: isPersonal)
  }

  package static func optionalText(
    _ name: StaticString, _ place: Place<String?>, isPersonal: Bool = false,
    rule: @escaping @Sendable (String) throws -> String?
  ) -> ShapeField {
    ShapeField(
      name: name, kind: .optionalText(place, rule: rule), creation: .optional, isPersonal: isPersonal)
  }

  package static func flag(
    _ name: StaticString, _ place: Place<Bool>, onCreate creation: Creation = .required
  ) -> ShapeField {
    ShapeField(name: name, kind: .flag(place), creation: creation, isPersonal: false)
  }

  package static func optionalNumber(
    _ name: StaticString, _ place: Place<Int64?>, rule: @escaping @Sendable (Int64) throws -> Int64
  ) -> ShapeField {
    ShapeField(name: name, kind: .optionalNumber(place, rule: rule), creation: .optional, isPersonal: false)
  }
}
