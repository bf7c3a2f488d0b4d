import FoundationEssentials
import TimeclockDomain

@testable import TimeclockAPI

/// Places in lists: the text of one reads as that one, in its list only, and no other text reads as any.
enum CursorsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let organization = OrganizationID(high: 1, low: UInt64(input.choose(below: 256)))
    let numbers = (0..<3).map { _ in input.chooseNumber() }
    let parameters = ["status": input.text]
    let list = ListIdentity("listTimeEntries", of: organization, parameters: parameters)
    let text = input.text
    let other =
      isFaulty && text == "a" ? list : ListIdentity("listSessions", of: organization, parameters: parameters)
    check(TimeEntryCursor.self, Array(numbers), text, list, other)
    check(SessionCursor.self, Array(numbers[..<2]), text, list, other)
    check(PresenceCursor.self, Array(numbers), text, list, other)
    check(RowCursor.self, Array(numbers[..<1]), text, list, other)
  }

  private static func check<Cursor: ListCursor & Hashable>(
    _ type: Cursor.Type, _ numbers: [Int64], _ text: String, _ list: ListIdentity, _ other: ListIdentity
  ) {
    if let cursor = Cursor(numbers: numbers) {
      let text = cursor.text(in: list)
      require(Cursor(text: text, in: list) == cursor, "\(text) is not \(cursor)")
      require(Cursor(text: text, in: other) == nil, "\(text) is a place in another list")
    }
    // The text itself, and the text packed as this service packs.
    let packed = Data("\(list.fingerprint).\(text)".utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    for text in [text, packed] {
      guard let cursor = Cursor(text: text, in: list) else { continue }
      require(cursor.text(in: list).utf8.elementsEqual(text.utf8), "\(text) is \(cursor) too")
    }
  }
}
