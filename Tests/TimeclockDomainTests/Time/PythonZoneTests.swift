import Testing
import TimeclockDomain

@Suite("Zones and Python's zoneinfo")
struct PythonZoneTests {
  @Test("every zone has Python's offset around every change, and at thousands of other instants")
  func agrees() throws {
    let references = try PythonZoneReference.zones()
    #expect(references.map(\.name) == SystemZones.names)
    var comparisons = 0
    for reference in references {
      let zone = try #require(SystemZones.zone(reference.name))
      for (seconds, expected) in zip(reference.seconds, reference.offsets) {
        let offset = zone.offsetSeconds(at: Instant(millisecondsSince1970: seconds * 1000))
        if Int64(offset) != expected {
          Issue.record("\(reference.name) at \(seconds): \(offset), but \(expected) in Python")
        }
      }
      comparisons += reference.seconds.count
    }
    #expect(comparisons > 400_000)
  }
}
