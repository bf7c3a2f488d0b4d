import Testing
import Threads

@Suite("A queue by owner in turn")
struct QueueInTurnTests {
  private static func queue(_ elements: [(owner: String, element: Int)]) -> QueueInTurn<String, Int> {
    var queue = QueueInTurn<String, Int>()
    for (owner, element) in elements { queue.append(element, of: owner) }
    return queue
  }

  private static func taken(_ queue: QueueInTurn<String, Int>) -> [Int] {
    var queue = queue
    var elements: [Int] = []
    while let element = queue.takeFirst() { elements.append(element) }
    return elements
  }

  @Test(
    "The queue takes one piece of each owner in turn, and each owner's pieces in their order",
    arguments: [
      ([], []),
      ([("a", 1), ("a", 2), ("a", 3)], [1, 2, 3]),
      ([("a", 1), ("a", 2), ("a", 3), ("b", 4)], [1, 4, 2, 3]),
      ([("a", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5)], [1, 3, 4, 2, 5]),
    ] as [([(String, Int)], [Int])])
  func turns(_ elements: [(owner: String, element: Int)], _ order: [Int]) {
    let queue = Self.queue(elements)
    #expect(queue.count == order.count)
    #expect(queue.isEmpty == order.isEmpty)
    #expect(Self.taken(queue) == order)
  }

  @Test("An owner keeps its turn after a piece was taken, while other owners come")
  func newcomers() {
    var queue = Self.queue([("a", 1), ("a", 2)])
    #expect(queue.takeFirst() == 1)
    queue.append(3, of: "b")
    // It has waited longer than the new owner.
    #expect(queue.takeFirst() == 2)
    queue.append(4, of: "a")
    #expect(queue.takeFirst() == 3)
    #expect(queue.takeFirst() == 4)
    #expect(queue.takeFirst() == nil)
  }

  @Test("The queue skips pieces that may not be taken, of one owner and of all")
  func conditions() {
    var queue = Self.queue([("a", 1), ("a", 2), ("b", 3)])
    #expect(queue.takeFirst { owner, _ in owner != "a" } == 3)
    #expect(queue.takeFirst { _, element in element > 1 } == 2)
    #expect(queue.takeFirst { _, _ in false } == nil)
    #expect(queue.count == 1 && queue.count(of: "a") == 1 && queue.count(of: "b") == 0)
    #expect(queue.takeFirst() == 1)
  }

  @Test("A piece that is tried again goes before later pieces of the same owner")
  func insertion() {
    var queue = Self.queue([("a", 3), ("a", 5), ("b", 1)])
    for element in [4, 2, 6] { queue.insert(element, of: "a") { $0 > element } }
    #expect(Self.taken(queue) == [2, 1, 3, 4, 5, 6])
  }

  @Test("A piece taken from the middle is gone, and so is the turn of an owner without pieces")
  func removal() {
    var queue = Self.queue([("a", 1), ("b", 2), ("a", 3), ("c", 4)])
    #expect(queue.removeAll { $0 == 2 || $0 == 3 }.sorted() == [2, 3])
    #expect(queue.count == 2)
    queue.append(5, of: "b")
    #expect(Self.taken(queue) == [1, 4, 5])
    #expect(queue.removeAll { _ in true }.count == 3)
    #expect(queue.isEmpty)
    #expect(queue.takeFirst() == nil)
  }

  @Test("The queue shows every waiting piece")
  func elements() {
    var shown: [Int] = []
    Self.queue([("a", 1), ("b", 2), ("a", 3)]).forEach { shown.append($0) }
    #expect(shown.sorted() == [1, 2, 3])
  }
}
