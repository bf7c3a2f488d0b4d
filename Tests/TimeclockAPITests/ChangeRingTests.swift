import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("The ring of an organization's changes")
struct ChangeRingTests {
  private static let time = Instant(millisecondsSince1970: 1_790_000_000_000)

  /// A change of a task with a name of this length.
  private static func change(_ sequence: Int64, letters: Int = 10) -> LiveChange {
    let identifiers = IdentifierGenerator()
    let task = WorkTask(
      head: Head(id: identifiers.next(at: time), organizationID: identifiers.next(at: time), at: time)
    ) { $0.name = String(repeating: "x", count: letters) }
    return LiveChange(
      Change(
        sequence: sequence, kind: .created, resource: .task, resourceID: ResourceID(task.id),
        context: ChangeContext(author: .service, operation: "createTask", time: time), before: nil,
        after: task.snapshot), of: .none, at: time)
  }

  private static func ring(_ sequences: ClosedRange<Int64>) -> ChangeRing {
    var ring = ChangeRing()
    ring.begin(after: sequences.lowerBound - 1)
    for sequence in sequences { ring.append(change(sequence)) }
    return ring
  }

  private static func sequences(_ portion: ChangeRing.Portion?) -> [Int64]? {
    portion?.changes.map(\.change.sequence)
  }

  @Test("gives everybody what comes after their place, a portion at a time")
  func portions() {
    let ring = Self.ring(5...100)
    let first = ring.portion(after: 4)
    #expect(Self.sequences(first) == Array(5...68) && first?.hasMore == true)
    let second = ring.portion(after: 68)
    #expect(Self.sequences(second) == Array(69...100) && second?.hasMore == false)
    // A place ahead of all changes is one too.
    for place: Int64 in [100, 200] { #expect(Self.sequences(ring.portion(after: place)) == []) }
  }

  @Test("knows who has missed something")
  func missed() {
    var ring = Self.ring(5...20)
    #expect(Self.sequences(ring.portion(after: 3)) == nil)
    ring.drop(through: 10)
    #expect(ring.start == 10 && Self.sequences(ring.portion(after: 9)) == nil)
    #expect(Self.sequences(ring.portion(after: 10)) == Array(11...20))
    ring.drop(through: 8)
    #expect(ring.start == 10)
  }

  @Test("lets go of the oldest changes if all take too much, and counts the rest")
  func shrinking() {
    var ring = Self.ring(1...100)
    let whole = ring.byteCount
    ring.shrink(to: whole)
    #expect(ring.start == 0)
    ring.shrink(to: whole / 2)
    #expect(ring.byteCount <= whole / 2 && (49...52).contains(ring.start))
    ring.shrink(to: 0)
    #expect(ring.byteCount == 0 && ring.start == 100 && Self.sequences(ring.portion(after: 100)) == [])
  }
}

@Suite("The places of those who listen")
struct LivePlaceTests {
  private func authentication(token: Int64, of user: Int64) -> Authentication {
    Authentication(
      tokenKey: token, user: UserKey(user),
      userID: IdentifierGenerator().next(at: Instant(millisecondsSince1970: 0)), scope: nil, apiTokenID: nil,
      client: nil,
      isReadOnly: false, mustChangePassword: false, expiresAt: Instant(millisecondsSince1970: .max),
      lastUsedAt: nil, membership: nil)
  }

  @Test("A token has eight streams and sixteen sockets, and a person sixty-four of each with any tokens")
  func limits() {
    let places = Places<LivePlace.Holder>()
    func taken(_ place: LivePlace) -> Bool { places.take(place.limits) == nil }
    for token: Int64 in 0..<8 {
      for _ in 0..<8 { #expect(taken(.stream(authentication(token: token, of: 1)))) }
      #expect(!taken(.stream(authentication(token: token, of: 1))))
    }
    #expect(!taken(.stream(authentication(token: 100, of: 1))))
    #expect(taken(.stream(authentication(token: 101, of: 2))))
    // Streams take no socket's place.
    for token: Int64 in 0..<4 {
      for _ in 0..<16 { #expect(taken(.socket(authentication(token: token, of: 1)))) }
      #expect(!taken(.socket(authentication(token: token, of: 1))))
    }
    #expect(!taken(.socket(authentication(token: 100, of: 1))))
  }
}
