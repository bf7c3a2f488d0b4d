/// The place where everything is kept. Two implementations exist, and one conformance suite defines what both must do.
///
/// Every method is atomic: it happens whole or not at all, and what it returns is committed and on disk.
/// Every method throws `TimeclockError`: the refusals that each one names, and besides
/// `.unavailable` or `.storageFull` when the database cannot do it now. After `.unavailable` from a write
/// it may be unknown whether the write happened; it is never reported as done without being so.
/// Methods that take an `OrganizationKey` or `MemberKey` see nothing of any other organization.
package protocol Storage: OrganizationStorage, MemberStorage, TokenStorage, InvitationStorage,
  TimeEntryStorage,
  SessionStorage, BreakTypeStorage, ProjectStorage, TaskStorage, SegmentStorage, HistoryResetStorage,
  ImportStorage, ForgottenEntryStorage, PresenceStorage, ReportStorage,
  ChangeStorage, WebhookStorage, ReminderStorage, TimerStorage, PushTargetStorage, AnswerStorage,
  PunchStorage,
  PersonalDataStorage, TimeEntryExportStorage, LogInAttemptStorage
{
  /// Succeeds when reads and writes can be served now.
  func checkReadiness() async throws

  /// Finishes what is under way and closes the database. Call it once; nothing works afterwards.
  func close() async
}
