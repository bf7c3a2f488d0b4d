import TimeclockDomain

/// The kind of a row's time, in the words of other services.
enum StatedKind {
  private static let kinds: [String: ImportRowKind] = [
    "": .work, "regular": .work, "work": .work, "break": .rest, "pause": .rest, "timeoff": .timeOff,
    "holiday": .timeOff, "publicholiday": .timeOff, "vacation": .timeOff, "pto": .timeOff, "leave": .timeOff,
    "sick": .timeOff, "sickleave": .timeOff, "sickness": .timeOff, "absence": .timeOff,
  ]

  /// Reads a word, however it is capitalized and its parts are joined; nil for one that is not known.
  static func kind(_ text: String) -> ImportRowKind? {
    kinds[text.lowercasedASCII.filter { !" _-".contains($0) }]
  }
}
