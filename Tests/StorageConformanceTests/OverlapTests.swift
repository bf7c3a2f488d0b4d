import Testing
import TimeclockDomain

/// A span in hours after the start of the world, half-open; open to infinity without an end.
struct Span: Sendable, CustomTestStringConvertible {
  let begin: Double
  let end: Double?

  init(_ begin: Double, _ end: Double?) {
    self.begin = begin
    self.end = end
  }

  var testDescription: String { "[\(begin), \(end.map { "\($0)" } ?? "∞"))" }
}

@Suite("Overlaps in a storage")
struct OverlapTests {
  private static let millisecond = 1.0 / 3_600_000

  /// Beside an entry from hour 10 to hour 12.
  static let beside = [
    Span(8, 10), Span(12, 14), Span(12, nil), Span(-90, -80), Span(10 - millisecond, 10),
    Span(12, 12 + millisecond),
  ]
  /// In the way of it.
  static let across = [
    Span(10, 12), Span(10.5, 11), Span(9, 13), Span(9, 10.5), Span(11, 13), Span(10, 10.5), Span(11, 12),
    Span(9, 10 + millisecond), Span(12 - millisecond, 13), Span(11, nil), Span(9, nil), Span(10, nil),
    Span(10.5, 10.5 + millisecond), Span(-400, 400),
  ]

  @Test("are none if entries touch", arguments: StorageFactory.all, beside)
  func touching(_ factory: StorageFactory, _ span: Span) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      try await world.keep(member, in: organization, from: .hour(10), to: .hour(12))
      try await world.keep(
        member, in: organization, from: .hour(span.begin), to: span.end.map(Instant.hour))
      #expect(try await world.list(organization).elements.count == 2)
    }
  }

  @Test("are refused, with the entry in the way", arguments: StorageFactory.all, across)
  func overlapping(_ factory: StorageFactory, _ span: Span) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let entry = try await world.keep(member, in: organization, from: .hour(10), to: .hour(12))
      await #expect(throws: TimeclockError.overlap([entry], count: 1)) {
        try await world.keep(
          member, in: organization, from: .hour(span.begin), to: span.end.map(Instant.hour))
      }
      #expect(try await world.list(organization).elements == [entry])
      #expect(try await world.storage.activeTimeEntry(of: member.key) == nil)
    }
  }

  @Test("reach from an active entry to infinity", arguments: StorageFactory.all)
  func activeEntry(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let active = try await world.keep(member, in: organization, from: .hour(10), to: nil)
      for span in [Span(10, 11), Span(9, 10 + Self.millisecond), Span(5_000, 5_001)] {
        await #expect(throws: TimeclockError.overlap([active], count: 1)) {
          try await world.keep(
            member, in: organization, from: .hour(span.begin), to: span.end.map(Instant.hour))
        }
      }
      for begin in [9.0, 10, 11] {
        await #expect(throws: TimeclockError.alreadyClockedIn(active: active)) {
          try await world.keep(member, in: organization, from: .hour(begin), to: nil)
        }
      }
      try await world.keep(member, in: organization, from: .hour(9), to: .hour(10))
      #expect(try await world.list(organization).elements.count == 2)
    }
  }

  @Test("are listed oldest first, twenty of them, and counted all", arguments: StorageFactory.all)
  func shownEntries(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      var entries: [TimeEntry] = []
      for hour in 0..<65 {
        entries.append(
          try await world.keep(
            member, in: organization, from: .hour(Double(hour)), to: .hour(Double(hour) + 1)))
      }
      for (begin, end) in [(-5, 70), (0, 65), (3, 7), (10, 31), (44, 65), (1, 42)] {
        let inTheWay = entries[max(begin, 0)..<min(end, 65)]
        await #expect(
          throws: TimeclockError.overlap(Array(inTheWay.prefix(20)), count: inTheWay.count)
        ) {
          try await world.keep(
            member, in: organization, from: .hour(Double(begin)), to: .hour(Double(end)))
        }
      }
      // An entry that begins within one and ends within another meets both, and those between.
      await #expect(throws: TimeclockError.overlap(Array(entries[3...5]), count: 3)) {
        try await world.keep(member, in: organization, from: .hour(3.5), to: .hour(5.5))
      }
    }
  }

  @Test("are seen across dates, whatever date an entry is filed under", arguments: StorageFactory.all)
  func acrossDates(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      var night = world.entry(of: member, in: organization, from: .hour(12), to: .hour(22))
      night.date = night.date.adding(days: -1)
      try await world.keep(night, of: member)
      var morning = world.entry(of: member, in: organization, from: .hour(21), to: .hour(23))
      morning.date = morning.date.adding(days: 1)
      await #expect(throws: TimeclockError.overlap([night], count: 1)) {
        try await world.keep(morning, of: member)
      }
      morning.clockInTime = .hour(22)
      try await world.keep(morning, of: member)
    }
  }

  @Test("concern one member in one organization", arguments: StorageFactory.all)
  func others(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(admin: world.account(email: "d@x.example"))
      let other = try await world.organization(admin: world.account(email: "d@x.example"))
      let colleague = try await world.member(of: organization)
      for (member, place) in [
        (organization.admin, organization), (colleague, organization), (other.admin, other),
      ] {
        try await world.keep(member, in: place, from: .hour(0), to: .hour(1))
        try await world.keep(member, in: place, from: .hour(1), to: nil)
      }
      #expect(try await world.list(organization).elements.count == 4)
      #expect(try await world.list(other).elements.count == 2)
    }
  }
}
