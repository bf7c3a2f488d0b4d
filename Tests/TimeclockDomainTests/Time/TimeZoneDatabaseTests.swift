import Foundation
import Testing
import TimeclockDomain

@Suite("The time zone database")
struct TimeZoneDatabaseTests {
  @Test("every zone and alias of tzdata.zi is found")
  func findsEveryZone() throws {
    #expect(SystemZones.names.count > 500)
    for name in SystemZones.names {
      let identifier = try #require(TimeZoneIdentifier(name))
      #expect(SystemZones.database.zone(identifier)?.identifier == identifier)
    }
  }

  @Test(
    "what is no zone of the database is not found",
    arguments: [
      "Mars/Olympus_Mons", "europe/berlin", "EUROPE/BERLIN", "Europe/berlin", "utc", "Europe", "America",
      "America/Argentina", "posix", "right", "posixrules", "localtime", "leapseconds", "posix/Europe/Berlin",
      "right/Europe/Berlin", "posix/UTC", "right/UTC", "Europe/Berlin/Mitte", "A",
    ])
  func findsNothingElse(_ name: String) throws {
    let identifier = try #require(TimeZoneIdentifier(name))
    #expect(SystemZones.database.zone(identifier) == nil)
  }

  @Test("a zone is read once, also when many ask for it together")
  func caches() async throws {
    let database = TimeZoneDatabase(directory: SystemZones.directory)
    let identifier = try #require(TimeZoneIdentifier("Asia/Kathmandu"))
    let zones = await withTaskGroup(of: Zone?.self) { group in
      for _ in 0..<50 { group.addTask { database.zone(identifier) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let first = try #require(zones.first ?? nil)
    #expect(zones.count == 50)
    #expect(zones.allSatisfy { $0 === first })
    #expect(database.zone(identifier) === first)
  }

  @Test("a zone whose file appears later is found then")
  func doesNotRememberAbsence() throws {
    try withTemporaryDirectory { directory in
      let database = TimeZoneDatabase(directory: directory.path)
      let identifier = try #require(TimeZoneIdentifier("New/Zone"))
      #expect(database.zone(identifier) == nil)
      try FileManager.default.createDirectory(
        at: directory.appendingPathComponent("New"), withIntermediateDirectories: false)
      try Data(SystemZones.bytes("Europe/Berlin")).write(to: directory.appendingPathComponent("New/Zone"))
      #expect(database.zone(identifier)?.identifier.name == "New/Zone")
    }
  }

  @Test("files that are empty, cut short or something else are no zones")
  func refusesOtherFiles() throws {
    try withTemporaryDirectory { directory in
      let berlin = SystemZones.bytes("Europe/Berlin")
      let files: [String: [UInt8]] = [
        "Empty": [], "Magic": Array("TZif".utf8), "Text": Array("# leap seconds\n".utf8),
        "Half": Array(berlin.prefix(berlin.count / 2)), "Whole": berlin,
      ]
      for (name, bytes) in files { try Data(bytes).write(to: directory.appendingPathComponent(name)) }
      let database = TimeZoneDatabase(directory: directory.path)
      let found = files.keys.filter { TimeZoneIdentifier($0).flatMap(database.zone) != nil }
      #expect(found == ["Whole"])
    }
  }

  @Test("a directory that does not exist has no zones")
  func survivesMissingDirectory() throws {
    let utc = try #require(TimeZoneIdentifier("UTC"))
    #expect(TimeZoneDatabase(directory: "/nonexistent").zone(utc) == nil)
  }

  private func withTemporaryDirectory(_ body: (URL) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory)
  }
}
