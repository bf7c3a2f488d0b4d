import Foundation

@testable import TimeclockAPI

extension JSONValue {
  /// The value in the form that `JSONWriter` writes for any value: an array for an object, with the names among the
  /// values, and a text for a number with a fraction.
  var plain: JSONValue {
    switch self {
    case .null, .bool, .integer, .string: self
    case .number(let number): .array([.string("number"), .integer(Int64(bitPattern: number.bitPattern))])
    case .array(let elements): .array([.string("array")] + elements.map(\.plain))
    case .object(let members):
      .array([.string("object")] + members.flatMap { [.string($0.name), $0.value.plain] })
    }
  }

  /// The bytes of a value in plain terms.
  var written: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let bool): writer.bool(bool)
    case .integer(let integer): writer.integer(integer)
    case .string(let text): writer.string(text)
    case .array(let elements): writer.array(elements) { $1.write(to: &$0) }
    case .number, .object: require(false, "not in plain terms")
    }
  }

  /// Whether the value holds a number that is zero.
  var holdsZero: Bool {
    switch self {
    case .null, .bool, .string: false
    case .integer(let integer): integer == 0
    case .number(let number): number == 0
    case .array(let elements): elements.contains(where: \.holdsZero)
    case .object(let members): members.contains { $0.value.holdsZero }
    }
  }

  /// Whether `JSONSerialization` has read the same; it does not round numbers of many digits to the nearest one.
  func isSame(as other: Any) -> Bool {
    switch self {
    case .null: other is NSNull
    case .bool(let bool): (other as? Bool) ?? (other as? NSNumber)?.boolValue == bool
    case .integer(let integer): JSONValue.number(Double(integer)).isSame(as: other)
    case .number(let number): Self.number(other).map { abs($0 - number) <= abs(number) * 1e-9 } ?? false
    case .string(let text): (other as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .array(let elements):
      (other as? [Any]).map { others in
        others.count == elements.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
      } ?? false
    case .object(let members):
      (other as? [String: Any]).map { isSame(members, $0) } ?? false
    }
  }

  private func isSame(_ members: [Member], _ others: [String: Any]) -> Bool {
    // Names that are the same in Unicode's eyes, and not byte by byte, are one to a dictionary.
    guard Set(members.map(\.name)).count == members.count else { return true }
    return others.count == members.count
      && members.allSatisfy { member in others[member.name].map { member.value.isSame(as: $0) } ?? false }
  }

  private static func number(_ value: Any) -> Double? {
    (value as? NSNumber)?.doubleValue ?? value as? Double ?? (value as? Int).map(Double.init)
  }
}
