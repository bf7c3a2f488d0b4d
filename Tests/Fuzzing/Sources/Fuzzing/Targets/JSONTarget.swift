import Foundation
import TimeclockDomain

@testable import TimeclockAPI

/// JSON texts: an accepted text comes back unchanged when it is written and read again, agrees with Foundation, and a
/// body's reader gets along with all of it.
enum JSONTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    let bytes = input.rest
    let value: JSONValue
    do {
      value = try JSONParser.parse(bytes)
    } catch let error as JSONSyntaxError {
      return require((0...bytes.count).contains(error.offset), "an error at \(error.offset)")
    } catch {
      return require(false, "\(error)")
    }
    let written = value.plain.written
    var again = try? JSONParser.parse(written)
    if isFaulty, case .string(let text) = again { again = .string(text.replacing("\u{7F}", with: "")) }
    require(again?.written == written, "\(value), written and read, is \(String(describing: again))")
    checkAgainstFoundation(value, bytes)
    if case .object(let members) = value { read(members) }
  }

  private static func checkAgainstFoundation(_ value: JSONValue, _ bytes: [UInt8]) {
    do {
      let other = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
      require(value.isSame(as: other), "\(value) is \(other) to Foundation")
    } catch {
      // Foundation takes no number that is nearer to zero than any of its own; ours is zero.
      require(value.holdsZero, "\(value) is no JSON to Foundation: \(error)")
    }
  }

  /// Takes the members for everything that members can be.
  private static func read(_ members: [JSONValue.Member]) {
    let reader = { ObjectReader(members) }
    for name in Set(members.map(\.name)) {
      _ = reader().string(name)
      _ = reader().optionalBool(name)
      _ = reader().optionalInteger(name)
      let instant = reader().optionalInstant(name)
      require(
        (instant ?? .earliest) >= .earliest && (instant ?? .latest) <= .latest, "an instant too far off")
      _ = reader().optionalDate(name)
      let id: UserID? = reader().optionalIdentifier(name)
      require(id.map { UserID($0.text) == $0 } ?? true, "an id that is none")
      let role: Role? = reader().optionalChoice(name)
      _ = role
      let objects = reader().optionalObjects(name, atMost: 3) { $0.string("name") }
      require((objects?.count ?? 0) <= 3, "more objects than there may be")
    }
    _ = reader().assigneeIDs()
    // A member that nobody asks for is refused.
    require(members.isEmpty || (try? reader().finish()) == nil, "\(members) is taken unread")
  }
}
