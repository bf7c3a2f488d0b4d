extension Operation {
  /// The whole API.
  static let all: [Operation] = [
    getService, getVersion, getLiveness, getReadiness, getOpenAPIDocument,
    createToken, deleteToken, acceptInvitation, getMe, updateMe, changePassword, listLogIns, deleteLogIn,
    createOrganization, getOrganization, updateOrganization,
    listMembers, createMember, createMembers, getMember, updateMember, deactivateMember,
    exportPersonalData, anonymizeMember, resetHistory,
    listApiTokens, createApiToken, deleteApiToken,
    listInvitations, createInvitation, deleteInvitation,
    clockIn, clockOut, getCurrentTimeEntry, getPresence,
    listTimeEntries, createTimeEntry, createTimeEntries, applyPunches, getTimeEntry, updateTimeEntry,
    deleteTimeEntry,
    checkOverlap, exportTimeEntries, getCalendar, importTimeEntries,
    listSessions, createSession, getSession, updateSession, deleteSession,
    listBreakTypes, createBreakType, getBreakType, updateBreakType,
    listProjects, createProject, getProject, updateProject, deleteProject,
    listTasks, createTask, getTask, updateTask, deleteTask,
    getClock, startSegment, stopSegment,
    listSegments, createSegment, getSegment, updateSegment, deleteSegment,
    checkSegmentOverlap, exportSegments,
    listChanges, streamEvents, listAuditLog,
    listWebhooks, createWebhook, getWebhook, updateWebhook, deleteWebhook, pingWebhook, listWebhookDeliveries,
    reportHours, getTimesheet, getHistory,
    createTimerToken, deleteTimerToken, listTimerTasks, createTimerTask, getTimerTask, updateTimerTask,
    hideTimerTask,
    listTimerEvents, createTimerEvent, updateTimerEvent, deleteTimerEvent, getTimerStats, validateTimerStart,
  ]
}
