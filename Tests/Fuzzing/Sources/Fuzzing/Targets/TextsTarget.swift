@testable import TimeclockDomain

/// Names, notes, addresses and ids: an accepted text keeps to the rules, and is accepted again unchanged.
enum TextsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    let text = input.text
    checkNotes(text, isFaulty: isFaulty)
    if let name = try? Name.validated(text) {
      require((try? Name.validated(name)) == name, "\(name) changes when it is read again")
      require((1...200).contains(name.unicodeScalars.count), "a name of \(name.unicodeScalars.count)")
      require(
        !name.unicodeScalars.contains { $0.properties.generalCategory == .control }, "control in \(name)")
    }
    if let id = UserID(text) { require(id.text.utf8.elementsEqual(text.utf8), "\(text) is \(id.text)") }
    if let zone = TimeZoneIdentifier(text) {
      require(zone.name.utf8.elementsEqual(text.utf8), "\(text) is \(zone.name)")
      require(
        (1...64).contains(text.utf8.count) && !text.contains(".") && text.first != "/", "the zone \(text)")
    }
    if let address = try? EmailAddress(text) {
      require((3...254).contains(address.text.utf8.count), "\(address.text) has no length of an address")
      require((try? EmailAddress(address.text)) == address, "\(address.text) changes when it is read again")
      let key = EmailAddress.key(of: address.key)
      require(key.utf8.elementsEqual(address.key.utf8), "the key of \(address.key) is \(key)")
    }
  }

  private static func checkNotes(_ text: String, isFaulty: Bool) {
    guard let notes = (try? Notes.sanitized(text, maximumCharacters: .max)) ?? nil else { return }
    let again = (try? Notes.sanitized(notes.text, maximumCharacters: .max)) ?? nil
    require(
      again?.text.utf8.elementsEqual(notes.text.utf8) ?? false, "\(notes.text) changes when it is read again")
    require(!notes.text.utf8.contains { $0 == 0x3C || $0 == 0x3E }, "a bracket in \(notes.text)")
    let isShown = notes.text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.generalCategory != .control || scalar == "\n" || scalar == "\t" && !isFaulty
    }
    require(isShown, "a control character in \(notes.text)")
  }
}
