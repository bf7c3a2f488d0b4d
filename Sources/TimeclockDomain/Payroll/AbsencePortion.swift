/// The part of each of its dates that an absence takes.
package enum AbsencePortion: Hashable, Sendable {
  case day
  case half
  /// That many seconds, or as many as the date has.
  case seconds(Int64)

  /// A portion's word in requests and rows.
  package enum Word: String, CaseIterable, Sendable {
    case day
    case half
    case seconds
  }

  /// The seconds that a portion may state.
  package static let bounds: ClosedRange<Int64> = 1...86_400

  /// A portion as a request states it.
  ///
  /// - Throws: `TimeclockError.invalidPortion` if `seconds` are not stated where the word asks for them, are stated with
  ///   another word, or lie outside of `bounds`.
  package init(_ word: Word, seconds: Int64?) throws {
    switch (word, seconds) {
    case (.day, nil): self = .day
    case (.half, nil): self = .half
    case (.seconds, let seconds?) where Self.bounds.contains(seconds): self = .seconds(seconds)
    default: throw TimeclockError.invalidPortion
    }
  }

  package var word: Word {
    switch self {
    case .day: .day
    case .half: .half
    case .seconds: .seconds
    }
  }

  /// The seconds of a portion that states them.
  package var seconds: Int64? {
    if case .seconds(let seconds) = self { seconds } else { nil }
  }

  /// The halves of a date that it takes. Seconds weigh nothing, so that any number of them has room beside a day.
  package var weight: Int {
    switch self {
    case .day: 2
    case .half: 1
    case .seconds: 0
    }
  }
}

extension TimeclockError {
  package static let invalidPortion = TimeclockError.plain(
    PlainRefusal(
      "invalid_portion", against: .rule,
      """
      An absence of the portion seconds states seconds from \(AbsencePortion.bounds.lowerBound) to \
      \(AbsencePortion.bounds.upperBound), any other states none
      """))
}
