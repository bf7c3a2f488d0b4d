import Testing
import TimeclockDomain

@Suite("Places")
struct PlacesTests {
  @Test("are taken of all keys or of none, up to each key's limit")
  func limits() {
    let places = Places<String>()
    func take(_ person: String, in group: String) -> String? {
      places.take([(person, 2), (group, 3), ("all", 4)])
    }
    #expect(take("ana", in: "x") == nil && take("ana", in: "x") == nil)
    #expect(take("ana", in: "y") == "ana")
    #expect(take("ben", in: "x") == nil)
    #expect(take("cem", in: "x") == "x")
    #expect(take("cem", in: "y") == nil)
    #expect(take("dan", in: "y") == "all")
    places.giveBack(["ana", "x", "all"])
    // A refused caller has taken nothing.
    #expect(take("dan", in: "y") == nil && take("eva", in: "y") == "all")
  }
}
