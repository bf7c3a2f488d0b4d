import TimeclockDomain

extension Operation {
  /// The names that changes may have in the log: of every operation that may change something, and of changes without
  /// one.
  static let namesOfChanges: [String] =
    all.filter { $0.method != .get }.map(\.id) + OwnOperation.allCases.map(\.rawValue)

  /// The whole API.
  static let all: [Operation] =
    written + onRecords(BreakType.self) + onRecords(HolidayCalendar.self)
    + onMemberRecords(WorkSchedule.self) { $0.workSchedule(forNew: $1) }
    + onMemberRecords(Entitlement.self) + onMemberRecords(Adjustment.self)

  /// All but those of plain and of members' records.
  private static let written: [Operation] = [
    getService, getVersion, getLiveness, getReadiness, getOpenAPIDocument,
    createToken, deleteToken, acceptInvitation, getMe, updateMe, changePassword, listLogIns,
    deleteOtherLogIns, deleteLogIn,
    createOrganization, getOrganization, updateOrganization,
    listMembers, createMember, createMembers, getMember, updateMember, deactivateMember,
    getAccount, exportPersonalData, anonymizeMember, resetHistory,
    listApiTokens, createApiToken, deleteApiToken,
    listInvitations, createInvitation, deleteInvitation,
    clockIn, clockOut, getCurrentTimeEntry, getPresence,
    listTimeEntries, createTimeEntry, createTimeEntries, applyPunches, undoPunch, getTimeEntry,
    updateTimeEntry, deleteTimeEntry,
    checkOverlap, exportTimeEntries, getCalendar, importTimeEntries,
    listSessions, createSession, getSession, updateSession, deleteSession,
    listHolidays, putHoliday, deleteHoliday, importHolidays, listHolidayPresets,
    listPayRules, createPayRules, getPayRules, updatePayRules, deletePayRules,
    listGroups, createGroup, getGroup, updateGroup, deleteGroup, listRecordReads,
    listAbsences, requestAbsence, createAbsences, getAbsence, updateAbsence, decideAbsence, cancelAbsence,
    listProjects, createProject, getProject, updateProject, deleteProject,
    listTasks, createTask, getTask, updateTask, deleteTask,
    getClock, startSegment, stopSegment,
    listSegments, createSegment, getSegment, updateSegment, deleteSegment,
    checkSegmentOverlap, exportSegments,
    getCurrentTimer, startTimer, pauseTimer, resumeTimer, adjustTimer, skipTimer, stopTimer, startNextTimer,
    setTimerPresence, putRoutine, deleteRoutine, applyTimerCommands, getTimerSettings, putTimerSettings,
    listTimerSessions, updateTimerSession, deleteTimerSession, getTimerStatistics,
    getLiveActivity, listPushTargets, createPushTarget, deletePushTarget,
    listChanges, streamEvents, listAuditLog,
    listWebhooks, createWebhook, getWebhook, updateWebhook, deleteWebhook, pingWebhook, listWebhookDeliveries,
    listReminders,
    reportHours, getTimesheet, reportBalance, reportEntitlements, getHistory,
    submitTimesheet, withdrawTimesheet, rejectTimesheet, approveTimesheets, reopenTimesheet,
    listPeriods, getPeriod, lockPeriod, unlockPeriod, listApprovals,
    listCorrections, requestCorrection, getCorrection, decideCorrection, withdrawCorrection,
    objectToCorrection,
    taskTimerCreateToken, taskTimerDeleteToken, taskTimerListTasks, taskTimerCreateTask, taskTimerGetTask,
    taskTimerUpdateTask, taskTimerHideTask,
    taskTimerListEvents, taskTimerCreateEvent, taskTimerUpdateEvent, taskTimerDeleteEvent, taskTimerGetStats,
    taskTimerValidateStart,
  ]
}
