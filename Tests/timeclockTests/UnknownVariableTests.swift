import Testing

@testable import timeclock

@Suite("Variables that no setting reads")
struct UnknownVariableTests {
  @Test(
    "are named with the nearest setting",
    arguments: [
      ("TIMECLOCK_LOGLEVEL", Setting.logLevel), ("TIMECLOCK_PROT", .port), ("TIMECLOCK_LOG_LEVLE", .logLevel),
      ("timeclock_port", .port), ("TIMECLOK_DATABASE", .database), ("TIME_CLOCK_HOST", .host),
      ("TIMECLOCK_DB", .database), ("TIMECLOCK_TRUSTED_PROXY", .trustedProxies),
      ("TIMECLOCK_MAX_CONNECTION", .maxConnections), ("TIMECLOCK_DATABASE_URL", .database),
    ])
  func nearest(_ name: String, _ setting: Setting) {
    #expect(
      UnknownVariable.all(among: ["PATH", name, "LANG"]) == [
        UnknownVariable(name: name, nearest: setting.variable)
      ])
  }

  @Test(
    "are named alone if no setting is similar",
    arguments: [
      "TIMECLOCK_FOO_BAR", "TIMECLOCK_BINARY", "TIMECLOCK_TEST_CLUSTER", "TIMECLOCK_TEST_QUICK",
      "TIMECLOCK_SERVICE_HOST", "TIMECLOCK_PORT_8080_TCP_ADDR", "TIMECLOCK_X", "TIMECLOCK_",
    ])
  func notSimilar(_ name: String) {
    let unknown = UnknownVariable.all(among: [name])
    #expect(unknown == [UnknownVariable(name: name, nearest: nil)])
    #expect(
      unknown.first?.warning
        == "\(name) is no setting, and nothing reads it (docs/operating.md, \"Settings\")")
  }

  @Test("are none that a setting has, and none of other programs")
  func known() {
    let names = Setting.allCases.map(\.variable) + ["PATH", "PGPASSWORD", "NOTIFY_SOCKET", "TZ", "TIME", ""]
    #expect(UnknownVariable.all(among: names).isEmpty)
  }

  @Test("are found for every setting that lacks a letter")
  func everySetting() {
    for setting in Setting.allCases {
      let found = UnknownVariable.all(among: [String(setting.variable.dropLast())])
      #expect(found.map(\.nearest) == [setting.variable])
    }
  }

  @Test("are reported with a name that the log may hold, and without a value")
  func warning() {
    let unknown = UnknownVariable.all(among: ["TIMECLOCK_PORTS"])
    #expect(
      unknown.first?.warning
        == "TIMECLOCK_PORTS is no setting, and nothing reads it: TIMECLOCK_PORT is the nearest (docs/operating.md, \"Settings\")"
    )
  }
}
