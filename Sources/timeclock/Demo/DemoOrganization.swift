import Credentials
import Procedures
import TimeclockDomain

/// An organization to try the service with: an admin and three more people, projects, a break type, sessions of today and
/// tomorrow, and two weeks of time up to yesterday.
///
/// Every row goes through the service's own actions, as if the admin had entered it.
struct DemoOrganization: Sendable {
  /// The time zone of the organization.
  let timeZone: String
  let password = DemoPassword()

  static let adminEmail = "demo@example.com"

  private struct Person {
    var name: String
    var email: String
    var role: Role
    /// The hour at which their days begin.
    var hour: Int64
  }

  private static let people = [
    Person(name: "Mia Berg", email: "mia@example.com", role: .member, hour: 8),
    Person(name: "Noa Kim", email: "noa@example.com", role: .manager, hour: 9),
    Person(name: "Ivo Sand", email: "ivo@example.com", role: .member, hour: 7),
  ]
  private static let notes = ["Deliveries", nil, "Stock taking", nil, nil]

  /// Makes it. If one step fails, those before it stay: make it in a database that can be thrown away.
  ///
  /// - Returns: The line to print, a JSON object: ids, token, e-mail address and password of the admin. The others have
  ///   the same password.
  /// - Throws: `TimeclockError`, the errors of the storage.
  func create(in timeclock: Timeclock) async throws -> String {
    let token = BearerToken()
    let created = try await timeclock.createOrganization(
      NewOrganizationRequest(
        name: "Harbor Café", timeZone: timeZone, adminEmail: Self.adminEmail, adminName: "Ada Lund"),
      password: newPassword(), token: token.digest, by: Author(means: .operator))
    let key = try await timeclock.organizationKey(named: created.organization.id.text)
    guard var admin = try await timeclock.storage.membership(of: created.admin.id, in: key) else {
      throw TimeclockError.notFound(.member)
    }
    admin.author = Author(means: .operator)
    try await fill(timeclock, by: admin)
    return #"{"organizationID":"\#(created.organization.id)","userId":"\#(created.admin.id)","#
      + #""token":"\#(token.text)","expiresAt":"\#(created.tokenExpiresAt.rfc3339)","#
      + #""email":"\#(Self.adminEmail)","password":"\#(password.text)"}"#
  }

  private func newPassword() throws -> NewPassword {
    let (hasher, text) = (try PasswordHasher(), password.text)
    return NewPassword { try await hasher.hash(text, obvious: $0) }
  }

  private func fill(_ timeclock: Timeclock, by admin: Membership) async throws {
    let lunch = try await timeclock.createRecord(
      Stated<BreakType> {
        $0.name = "Lunch"
        $0.expectedSeconds = 2_700
      }, by: admin)
    var projects: [Project] = []
    for (name, client, color) in [
      ("Orchard", "Valley Farm", "#2E7D32"), ("Cider", "Valley Farm", "#C25700"), ("Office", nil, "#1565C0"),
    ] {
      projects.append(
        try await timeclock.createProject(
          Stated {
            $0.name = name
            $0.client = client
            $0.color = ProjectColor(stored: color)
          }, by: admin))
    }
    var members: [(id: UserID, hour: Int64)] = [(admin.userID, 8)]
    for person in Self.people {
      let member = try await timeclock.createMember(
        NewMemberRequest(email: person.email, name: person.name, role: person.role), password: newPassword(),
        by: admin)
      members.append((member.userID, person.hour))
    }
    let zone = try timeclock.zone(named: timeZone)
    let today = zone.localDate(at: timeclock.clock.now)
    for (place, member) in members.enumerated() {
      for back in (1...14).reversed() {
        let date = today.adding(days: -back)
        guard date.weekday.number <= 5 else { continue }
        let day = DemoDay(
          start: zone.startOfDay(date).adding(
            milliseconds: (member.hour * 60 + Int64(back * 7 % 20)) * 60_000),
          lunch: lunch.id, projects: (projects[(back + place) % 3].id, projects[(back + place + 1) % 3].id),
          lunchMinutes: Int64(30 + back * 5 % 25), notes: Self.notes[(back + place) % Self.notes.count])
        try await day.enter(for: member.id, in: timeclock, by: admin)
      }
    }
    for (days, title, hours) in [
      (0, "Early Shift", (7, 12)), (0, "Late Shift", (12, 19)), (1, "Early Shift", (7, 12)),
    ] as [(Int, String, (Int64, Int64))] {
      let date = today.adding(days: days)
      let midnight = zone.startOfDay(date)
      _ = try await timeclock.createSession(
        NewSessionRequest(
          date: date, title: title, startTime: midnight.adding(milliseconds: hours.0 * 3_600_000),
          endTime: midnight.adding(milliseconds: hours.1 * 3_600_000), assigneeIDs: members.map(\.id)),
        by: admin)
    }
  }
}

/// A day at work: an entry, two projects, and lunch between them.
private struct DemoDay {
  var start: Instant
  var lunch: BreakTypeID
  var projects: (ProjectID, ProjectID)
  var lunchMinutes: Int64
  var notes: String?

  func enter(for member: UserID, in timeclock: Timeclock, by admin: Membership) async throws {
    let noon = start.adding(milliseconds: 4 * 3_600_000)
    let afternoon = noon.adding(milliseconds: lunchMinutes * 60_000)
    let end = afternoon.adding(milliseconds: 4 * 3_600_000)
    _ = try await timeclock.createTimeEntry(
      ManualEntryRequest(userID: member, clockInTime: start, clockOutTime: end, notes: notes), by: admin)
    for (from, to, purpose) in [
      (start, noon, SegmentPurpose(projectID: projects.0)),
      (noon, afternoon, SegmentPurpose(breakTypeID: lunch)),
      (afternoon, end, SegmentPurpose(projectID: projects.1)),
    ] {
      _ = try await timeclock.createSegment(
        ManualSegmentRequest(userID: member, startTime: from, endTime: to, purpose: purpose, reason: "Demo"),
        by: admin)
    }
  }
}
