/// The progress of something in sets, such as a workout, or a cleaner's round.
package struct TimerRoutine: Hashable, Sendable {
  package var name: String?
  package var startTime: Instant
  /// The name of the exercise or the room that it is at.
  package var currentItem: String?
  package var currentSet: Int64
  package var totalSets: Int64
  package var itemsCompleted: Int64
  package var totalItems: Int64

  package init(
    name: String?, startTime: Instant, currentItem: String?, currentSet: Int64, totalSets: Int64,
    itemsCompleted: Int64, totalItems: Int64
  ) {
    self.name = name
    self.startTime = startTime
    self.currentItem = currentItem
    self.currentSet = currentSet
    self.totalSets = totalSets
    self.itemsCompleted = itemsCompleted
    self.totalItems = totalItems
  }

  /// The values of each counter.
  package static let counters: ClosedRange<Int64> = 0...999

  /// Whether no set is left after the current one.
  var isAtLastSet: Bool { currentSet >= totalSets }

  /// Counts a set that a rest has ended.
  mutating func countSet() {
    currentSet = min(currentSet + 1, Self.counters.upperBound)
  }
}

/// A routine as a client states it.
package struct RoutineRequest: Hashable, Sendable {
  package var name: String?
  /// Nil means now, and so does a time ahead.
  package var startTime: Instant?
  package var currentItem: String?
  package var currentSet: Int64
  package var totalSets: Int64
  package var itemsCompleted: Int64
  package var totalItems: Int64

  package init(
    name: String? = nil, startTime: Instant? = nil, currentItem: String? = nil, currentSet: Int64,
    totalSets: Int64, itemsCompleted: Int64, totalItems: Int64
  ) {
    self.name = name
    self.startTime = startTime
    self.currentItem = currentItem
    self.currentSet = currentSet
    self.totalSets = totalSets
    self.itemsCompleted = itemsCompleted
    self.totalItems = totalItems
  }

  /// The routine, its names without white space around them.
  ///
  /// - Throws: `TimeclockError.invalidName`, `.invalidRoutine`.
  package func validated(at now: Instant) throws -> TimerRoutine {
    let counters = [currentSet, totalSets, itemsCompleted, totalItems]
    guard counters.allSatisfy(TimerRoutine.counters.contains) else { throw TimeclockError.invalidRoutine }
    return TimerRoutine(
      name: try TimerText.name(name), startTime: min(startTime ?? now, now),
      currentItem: try TimerText.name(currentItem), currentSet: currentSet, totalSets: totalSets,
      itemsCompleted: itemsCompleted, totalItems: totalItems)
  }
}
