/// Waiting work, taken from its owners in turn: however much work one owner has waiting, another owner's first piece
/// waits for at most one piece of each other owner.
///
/// Inlinable for the operations on single pieces, which takes effect only in a type that is usable from inline itself:
/// without, other modules look up the types at run time, thousands of instructions for each piece.
@usableFromInline
package struct QueueInTurn<Owner: Hashable, Element> {
  @usableFromInline
  var waiting: [Owner: [Element]] = [:]
  /// The owners with waiting work, in the order of their turns.
  @usableFromInline
  var turns: [Owner] = []
  @usableFromInline
  var size = 0

  @inlinable
  package init() {}

  /// The number of waiting pieces.
  @inlinable
  package var count: Int { size }

  /// Returns the number of waiting pieces of one owner.
  package func count(of owner: Owner) -> Int { waiting[owner]?.count ?? 0 }

  /// Whether no piece waits.
  @inlinable
  package var isEmpty: Bool { size == 0 }

  /// Adds a piece after the others of its owner. An owner without waiting work becomes the last in turn.
  @inlinable
  package mutating func append(_ element: Element, of owner: Owner) {
    if let own = waiting.index(forKey: owner) {
      waiting.values[own].append(element)
    } else {
      turns.append(owner)
      waiting[owner] = [element]
    }
    size += 1
  }

  /// Adds a piece before the first piece of its owner for which `isLater` is true, or after all if there is none.
  package mutating func insert(_ element: Element, of owner: Owner, before isLater: (Element) -> Bool) {
    if waiting[owner] == nil { turns.append(owner) }
    let own = waiting[owner, default: []]
    // Usually the last piece is earlier, and so are all.
    let place = own.last.map(isLater) == true ? own.firstIndex(where: isLater) ?? own.count : own.count
    waiting[owner, default: []].insert(element, at: place)
    size += 1
  }

  /// Takes the first allowed piece of the first owner that has one; then that owner is the last in turn.
  ///
  /// - Parameter mayTake: Called with pieces in the order of turns until it returns true; that piece is taken.
  @inlinable
  package mutating func takeFirst(where mayTake: (Owner, Element) -> Bool = { _, _ in true }) -> Element? {
    for turn in turns.indices {
      let owner = turns[turn]
      guard let own = waiting.index(forKey: owner),
        let place = waiting.values[own].firstIndex(where: { mayTake(owner, $0) })
      else { continue }
      let element = waiting.values[own].remove(at: place)
      size -= 1
      turns.remove(at: turn)
      if waiting.values[own].isEmpty { waiting.remove(at: own) } else { turns.append(owner) }
      return element
    }
    return nil
  }

  /// Takes every piece for which `isMeant` is true, at any place.
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
    size -= removed.count
    return removed
  }

  /// Calls `body` with every waiting piece.
  package func forEach(_ body: (Element) -> Void) {
    for owner in turns { waiting[owner]?.forEach(body) }
  }
}
