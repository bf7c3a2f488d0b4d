import TimeclockDomain

/// The statements that delete everything of a member's timers: settings, routine and sessions too.
enum TimerErasure {
  /// The timer first: from then on nobody adds a session.
  static let all = [
    RecordStatement("DELETE FROM timers WHERE organization_id = $1 AND user_id = $2"),
    RecordStatement("DELETE FROM timer_sessions WHERE organization_id = $1 AND user_id = $2"),
  ]
}
