import Foundation
import Testing
import TimeclockDomain

@Suite("Zones and Python's zoneinfo")
struct PythonZoneTests {
  private static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

  @Test(
    "every zone has Python's offset around every change, and at thousands of other instants",
    .enabled(if: PythonZoneReference.isInstalled || isRequired, "python3 is not installed"))
  func agrees() throws {
    let references = PythonZoneReference.zones
    try #require(!references.isEmpty, "python3 gave no answer")
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
