@testable import ContractDocument

/// A part of the contract, in a file of its own: its cases, and the facts about it that the cases of every operation
/// need.
struct Fixture: Sendable {
  /// Makes the prerequisites of a call, and names them in the call.
  typealias Baseline = @Sendable (World, inout Call) async throws -> Void

  /// The cases that are written by hand.
  let scenarios: [Scenario]
  /// The setup of a successful call of an operation, by the operations' ids; an operation that is left out needs
  /// nothing but its example.
  let baselines: [String: Baseline]
  /// Makes two of it in another organization, so that its lists have a second page.
  ///
  /// Answers an id by each name under which requests take one: the same names in every world, for only the operations that
  /// take one of them, and lists, have it called (`Fixture.ids`).
  let foreignIDs: @Sendable (World, Tenant) async throws -> [String: String]
  /// Makes one that is a member's own, and answers its id in the same way.
  let idsOfMember: @Sendable (World, Person) async throws -> [String: String]
  /// The file in which it stands, alone.
  let file: String

  init(
    scenarios: [Scenario], baselines: [String: Baseline] = [:],
    foreignIDs: @escaping @Sendable (World, Tenant) async throws -> [String: String] = { _, _ in [:] },
    idsOfMember: @escaping @Sendable (World, Person) async throws -> [String: String] = { _, _ in [:] },
    file: String = #fileID
  ) {
    self.scenarios = scenarios
    self.baselines = baselines
    self.foreignIDs = foreignIDs
    self.idsOfMember = idsOfMember
    self.file = file
  }
}

extension Fixture {
  /// All parts of the contract. `FixtureTests` names missing ones.
  static let all: [Fixture] = [
    .authentication,
    .organizations,
    .members,
    .accounts,
    .ownAccount,
    .memberAccess,
    .apiTokens,
    .invitations,
    .clocking,
    .manualEntries,
    .refusalLimits,
    .bulk,
    .imports,
    .forgottenEntries,
    .presence,
    .reports,
    .balances,
    .history,
    .reportedSegments,
    .editing,
    .repetitions,
    .reading,
    .versions,
    .exports,
    .listFilters,
    .tableDialects,
    .sessions,
    .groups,
    .recordReads,
    .payRules,
    .plainRecords,
    .memberRecords,
    .workSchedules,
    .absences,
    .periods,
    .corrections, .correctionsNeed, .proposedPunches,
    .breakTypes,
    .holidays,
    .projects,
    .tasks,
    .segments,
    .segmentEditing,
    .segmentExports,
    .historyReset,
    .changes,
    .live,
    .liveActivities,
    .pushTargets,
    .webhooks,
    .reminders,
    .timers,
    .timerSessions,
    .timerCommands,
    .timerPrivacy,
    .taskTimer,
    .punches,
    .punchUndo,
    .personalData,
    .service,
    .crossOrigins,
    .rateLimits,
    .routes,
  ]

  /// The setup of a successful call of an operation; nil if its example succeeds.
  static func baseline(of operationID: String) -> Baseline? {
    all.lazy.compactMap { $0.baselines[operationID] }.first
  }
}
