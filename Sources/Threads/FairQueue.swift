/// Elements of many callers that wait, taken by caller in turn: however many one of them has put in, the next caller's
/// first element is at most one element of each other caller away.
package struct FairQueue<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  /// What each caller has waiting, oldest first; a caller without anything is not in it.
  private var waiting: [Key: [Element]] = [:]
  /// Whose turn comes when: each caller that has something waiting, once.
  private var turns: [Key] = []

  package init() {}

  /// How many elements of a caller wait.
  package func count(of key: Key) -> Int { waiting[key]?.count ?? 0 }

  /// Adds an element behind the caller's others.
  package mutating func append(_ element: Element, of key: Key) {
    if waiting[key] == nil { turns.append(key) }
    waiting[key, default: []].append(element)
  }

  /// Takes the oldest element of the caller whose turn it is; nil when nothing waits.
  package mutating func takeFirst() -> Element? {
    guard !turns.isEmpty else { return nil }
    let key = turns.removeFirst()
    guard var own = waiting[key], !own.isEmpty else { return nil }
    let first = own.removeFirst()
    waiting[key] = own.isEmpty ? nil : own
    if !own.isEmpty { turns.append(key) }
    return first
  }
}
