/// The time for one project or task, or for none.
package struct HistoryRow<Subject: HistorySubject>: Sendable {
  /// Nil for time that was for none.
  package var subject: Subject?
  /// Never 0.
  package var seconds: Int64
  /// The part of all rows' seconds, in units of 1/10000. Those of all rows add up to exactly 10000.
  package var tenThousandths: Int64
}

/// Something that the rows of a history divide time by.
package protocol HistorySubject: Hashable, Sendable {
  associatedtype Kind
  var id: Identifier<Kind> { get }
  var name: String { get }
}

extension Project: HistorySubject {}
extension WorkTask: HistorySubject {}

extension HistoryRow {
  /// The rows of some time: the most seconds first, equal ones by name, then by id, and time for nothing last.
  ///
  /// - Parameters:
  ///   - seconds: The seconds of each id, and of time for nothing. Those of an id without a subject are time for nothing.
  ///   - subjects: The records of the ids.
  package static func rows(
    of seconds: [Identifier<Subject.Kind>?: Int64], among subjects: [Identifier<Subject.Kind>: Subject]
  ) -> [HistoryRow] {
    var sums: [Subject?: Int64] = [:]
    for (id, seconds) in seconds { sums[id.flatMap { subjects[$0] }, default: 0] += seconds }
    let byName = sums.filter { $0.value > 0 }.sorted { comes($0.key, before: $1.key) }
    let shares = LargestRemainder.tenThousandths(of: byName.map(\.value))
    let rows = zip(byName, shares).map { sum, share in
      HistoryRow(subject: sum.key, seconds: sum.value, tenThousandths: share)
    }
    return rows.sorted { one, other in
      guard one.subject != nil, other.subject != nil, one.seconds != other.seconds else {
        return comes(one.subject, before: other.subject)
      }
      return one.seconds > other.seconds
    }
  }

  private static func comes(_ one: Subject?, before other: Subject?) -> Bool {
    guard let one, let other else { return one != nil && other == nil }
    return one.name == other.name ? one.id < other.id : one.name < other.name
  }
}

/// Shares that are rounded so that they add up.
enum LargestRemainder {
  /// The part that each number has of all, in units of 1/10000, which add up to exactly 10000. The remainder of cutting
  /// goes to the parts of which most was cut, the earlier ones if that was equal.
  ///
  /// - Parameter numbers: Zero or more; at most nine hundred trillion together.
  static func tenThousandths(of numbers: [Int64]) -> [Int64] {
    let total = numbers.reduce(0, +)
    guard total > 0 else { return numbers.map { _ in 0 } }
    var shares = numbers.map { $0 * 10_000 / total }
    let rests = numbers.map { $0 * 10_000 % total }
    let order = numbers.indices.sorted { rests[$0] == rests[$1] ? $0 < $1 : rests[$0] > rests[$1] }
    for place in order.prefix(Int(10_000 - shares.reduce(0, +))) { shares[place] += 1 }
    return shares
  }
}
