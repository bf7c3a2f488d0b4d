extension Operation {
  /// The whole API.
  static let all: [Operation] = [
    getLiveness, getReadiness, getOpenAPIDocument,
    createToken, deleteToken, getMe, changePassword,
    createOrganization, getOrganization, updateOrganization,
    listMembers, createMember, getMember, updateMember, deactivateMember,
    listApiTokens, createApiToken, deleteApiToken,
    clockIn, clockOut, getCurrentTimeEntry, getPresence,
    listTimeEntries, createTimeEntry, getTimeEntry, updateTimeEntry, deleteTimeEntry, checkOverlap,
    listChanges, listAuditLog,
  ]
}
