extension TimeclockError {
  package static let notSubmitted = TimeclockError.plain(
    PlainRefusal(
      "not_submitted", against: .state, "The member has submitted no time beyond what is approved."))

  package static let notApproved = TimeclockError.plain(
    PlainRefusal("not_approved", against: .state, "The member's time is not approved through this date."))

  package static let periodNotOver = TimeclockError.plain(
    PlainRefusal(
      "period_not_over", against: .rule,
      "The last date is not over for the member. A date is over five minutes after its end."))
}
