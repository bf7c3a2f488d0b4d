import Testing

@testable import TimeclockDomain

/// Members' time as a representative sees it.
struct RepresentativeViewTests {
  private static let zone = TimeZoneIdentifier("UTC")!
  private static let entry = TimeEntry(
    id: TimeEntryID(high: 1, low: 1), userID: UserID(high: 1, low: 2),
    organizationID: OrganizationID(high: 1, low: 3), clockInTime: .earliest, clockOutTime: .latest,
    date: .earliest, timeZone: zone, offsetSeconds: 0, sessionID: SessionID(high: 1, low: 4),
    notes: Notes(stored: "Cold"), source: .web, flags: [.overMaximum, .startedBySegment], version: 7,
    createdAt: .earliest, updatedAt: .latest)

  private static let person = ReportedPerson(
    id: UserID(high: 1, low: 2), name: "Mia", storedEmail: "mia@example.com", personnelNumber: "0042")

  @Test("an entry has its times, and neither notes, session, flags, beginning nor source")
  func entry() {
    let shown = RepresentativeView.shown(Self.entry)
    var expected = Self.entry
    (expected.notes, expected.sessionID, expected.flags) = (nil, nil, [])
    expected.isSourceShown = false
    #expect(shown == expected && Self.entry.shownSource == "web")
    #expect(shown.shownSource == "withheld" && shown.startedBy == .clockIn)
    let exported = RepresentativeView.shown(
      ExportedTimeEntry(
        entry: Self.entry, userName: "Mia", userEmail: "mia@example.com", personnelNumber: "0042",
        sessionTitle: "Tasting", periodState: .locked))
    #expect(exported.entry == expected && exported.sessionTitle == nil && exported.userEmail == "")
    #expect(exported.userName == "Mia" && exported.personnelNumber == "0042")
  }

  @Test("reports have sums by people without addresses, no anomalies, and no credits")
  func reports() {
    let day = ReportValue.day(.earliest)
    let anomaly = ReportAnomaly(
      id: Self.entry.id, person: Self.person, clockIn: .earliest, clockOut: nil, seconds: 1, flags: [],
      isOpenTooLong: true, lacksBreak: false, hasLongBreak: false, isObjected: false)
    let hours = RepresentativeView.shown(
      HoursReport(
        frame: ReportFrame(
          startDate: .earliest, endDate: .latest, timeZone: Self.zone, attribution: .split, asOf: .latest),
        rounding: nil, groupBy: [.user, .day],
        rows: [ReportRow(dimensions: [.user(Self.person), day], figures: ReportFigures(seconds: 60))],
        totals: ReportFigures(seconds: 60), anomalyCounts: ReportAnomalyCount.counts(of: [anomaly], []),
        anomalies: [anomaly], differences: []))
    var person = Self.person
    person.email = ""
    #expect(hours.rows.map(\.dimensions) == [[.user(person), day]] && hours.totals.seconds == 60)
    #expect(hours.anomalies == [] && hours.anomalyCounts.isEmpty)
    let balance = RepresentativeView.shown(
      BalanceReport(
        countedThrough: .latest, grouping: .user,
        rows: [BalanceReportRow(person: Self.person, sums: DaySums(), carried: 5)], totals: DaySums(),
        totalBalance: 5))
    #expect(!balance.areCreditsShown && balance.rows.map(\.person) == [person])
    #expect(balance.rows.map(\.carried) == [5] && balance.totalBalance == 5)
  }

  @Test("a report divides by people and dates alone, and chooses nothing")
  func permittedReports() {
    let request = ReportRequest(startDate: .earliest, endDate: .latest)
    for dimension in ReportDimension.allCases {
      let isPermitted = [.user, .day].contains(dimension)
      #expect(RepresentativeView.permits(request, by: [dimension]) == isPermitted, "\(dimension)")
      #expect(RepresentativeView.permits(request, by: [.user, dimension]) == isPermitted, "\(dimension)")
    }
    for filter in [
      ReportFilter(sessionID: SessionID(high: 1, low: 1)), ReportFilter(client: "Acme"),
      ReportFilter(tag: "late"), ReportFilter(isBillable: false), ReportFilter(kind: .break),
    ] {
      var chosen = request
      chosen.filter = filter
      #expect(!RepresentativeView.permits(chosen, by: [.user]))
    }
  }

  @Test("a list chooses by dates, status and time of change alone")
  func permittedLists() {
    #expect(RepresentativeView.permits(TimeEntryListRequest(status: .clockedIn)))
    #expect(
      RepresentativeView.permits(TimeEntryListRequest(filter: TimeEntryFilter(updatedSince: .earliest))))
    for request in [
      TimeEntryListRequest(sessionID: SessionID(high: 1, low: 1)),
      TimeEntryListRequest(filter: TimeEntryFilter(flags: .autoClosed)),
      TimeEntryListRequest(filter: TimeEntryFilter(sources: [.web])),
    ] { #expect(!RepresentativeView.permits(request)) }
  }
}
