/// Puts members' records in the members' order, by counting: a storage that gives rows by their start leaves nearly
/// nothing to sort then.
enum PlacesByMember {
  /// The places of the owners, each member's together and in the order in which they came. Members of one organization
  /// have numbers close to each other; if they do not, the places are left as they are.
  static func places(of owners: [UserKey]) -> [Int] {
    var (least, most) = (Int64.max, Int64.min)
    var isInOrder = true
    for owner in owners {
      if owner.value < most { isInOrder = false }
      least = min(least, owner.value)
      most = max(most, owner.value)
    }
    let (width, overflow) = most.subtractingReportingOverflow(least)
    guard !isInOrder, !overflow, width < 8 * owners.count else { return Array(owners.indices) }
    var next = [Int](repeating: 0, count: Int(width) + 2)
    for owner in owners { next[Int(owner.value - least) + 1] += 1 }
    for member in 1..<next.count { next[member] += next[member - 1] }
    var places = [Int](repeating: 0, count: owners.count)
    for (place, owner) in owners.enumerated() {
      let member = Int(owner.value - least)
      places[next[member]] = place
      next[member] += 1
    }
    return places
  }
}
