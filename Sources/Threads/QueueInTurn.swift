/// Work that waits, by owner in turn: however much one owner has waiting, the next owner's first comes after one piece
/// of each other owner's at most.
package struct QueueInTurn<Owner: Hashable, Element> {
  private var waiting: [Owner: [Element]] = [:]
  /// Those who have something waiting, whoever is next first.
  private var turns: [Owner] = []
  /// How many pieces wait.
  package private(set) var count = 0

  package init() {}

  /// How many pieces of one owner wait.
  package func count(of owner: Owner) -> Int { waiting[owner]?.count ?? 0 }

  /// Whether nothing waits.
  package var isEmpty: Bool { count == 0 }

  /// Adds a piece behind the others of its owner; an owner who had nothing waiting comes behind the other owners.
  package mutating func append(_ element: Element, of owner: Owner) {
    insert(element, of: owner) { _ in false }
  }

  /// Adds a piece before the first of its owner's for which `isLater` is true, and behind all where there is none.
  package mutating func insert(_ element: Element, of owner: Owner, before isLater: (Element) -> Bool) {
    if waiting[owner] == nil { turns.append(owner) }
    let own = waiting[owner, default: []]
    // Most often the last one is earlier, and so are all.
    let place = own.last.map(isLater) == true ? own.firstIndex(where: isLater) ?? own.count : own.count
    waiting[owner, default: []].insert(element, at: place)
    count += 1
  }

  /// Takes the first piece that may be taken of the first owner who has one; then that owner is the last in turn.
  ///
  /// - Parameter mayTake: Asked about pieces in the order of turns until it says yes, and then that piece is taken.
  package mutating func takeFirst(where mayTake: (Owner, Element) -> Bool = { _, _ in true }) -> Element? {
    for (turn, owner) in turns.enumerated() {
      guard let place = waiting[owner]?.firstIndex(where: { mayTake(owner, $0) }) else { continue }
      let element = waiting[owner]?.remove(at: place)
      count -= 1
      turns.remove(at: turn)
      if waiting[owner]?.isEmpty == true { waiting[owner] = nil } else { turns.append(owner) }
      return element
    }
    return nil
  }

  /// Takes every piece for which `isMeant` is true, wherever it stands.
  package mutating func removeAll(where isMeant: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    for owner in turns {
      waiting[owner]?.removeAll { element in
        guard isMeant(element) else { return false }
        removed.append(element)
        return true
      }
      if waiting[owner]?.isEmpty == true { waiting[owner] = nil }
    }
    turns.removeAll { waiting[$0] == nil }
    count -= removed.count
    return removed
  }

  /// Calls `body` with every piece that waits.
  package func forEach(_ body: (Element) -> Void) {
    for owner in turns { waiting[owner]?.forEach(body) }
  }
}
