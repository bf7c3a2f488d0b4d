// Joined from openapi/ by scripts/join-contract: edit the files there.

extension ContractRoutes {
  /// Each path, and below it the method, the operationId and the access of its operations.
  static let text = """
    /v1/auth/token
      POST createToken open
      DELETE deleteToken user
    /v1/me
      GET getMe user
      PATCH updateMe user
    /v1/me/password
      PUT changePassword user
    /v1/me/logIns
      GET listLogIns user
      DELETE deleteOtherLogIns user
    /v1/me/logIns/{logInId}
      DELETE deleteLogIn user
    /v1/organizations
      POST createOrganization operator
    /v1/organizations/{organizationID}
      GET getOrganization member
      PATCH updateOrganization admin
    /v1/organizations/{organizationID}/members
      GET listMembers manager
      POST createMember admin
    /v1/organizations/{organizationID}/members/bulk
      POST createMembers admin
    /v1/organizations/{organizationID}/members/{userId}
      GET getMember manager
      PATCH updateMember admin
      DELETE deactivateMember admin
    /v1/organizations/{organizationID}/members/{userId}/account
      GET getAccount member
    /v1/organizations/{organizationID}/members/{userId}/personalData
      GET exportPersonalData member
    /v1/organizations/{organizationID}/members/{userId}/anonymize
      POST anonymizeMember admin
    /v1/organizations/{organizationID}/members/{userId}/resetHistory
      POST resetHistory member
    /v1/organizations/{organizationID}/apiTokens
      GET listApiTokens admin
      POST createApiToken admin
    /v1/organizations/{organizationID}/apiTokens/{apiTokenId}
      DELETE deleteApiToken admin
    /v1/auth/invitation
      POST acceptInvitation open
    /v1/organizations/{organizationID}/invitations
      GET listInvitations admin
      POST createInvitation admin
    /v1/organizations/{organizationID}/invitations/{invitationId}
      DELETE deleteInvitation admin
    /v1/organizations/{organizationID}/timeEntries/clockIn
      POST clockIn member
    /v1/organizations/{organizationID}/timeEntries/clockOut
      POST clockOut member
    /v1/organizations/{organizationID}/timeEntries/current
      GET getCurrentTimeEntry member
    /v1/organizations/{organizationID}/presence
      GET getPresence manager
    /v1/organizations/{organizationID}/timeEntries
      GET listTimeEntries member
      POST createTimeEntry member
    /v1/organizations/{organizationID}/timeEntries/bulk
      POST createTimeEntries member
    /v1/organizations/{organizationID}/timeEntries/punches
      POST applyPunches member
    /v1/organizations/{organizationID}/timeEntries/punches/{punchId}/undo
      POST undoPunch member
    /v1/organizations/{organizationID}/timeEntries/import
      POST importTimeEntries admin
    /v1/organizations/{organizationID}/timeEntries/{timeEntryId}
      GET getTimeEntry member
      PATCH updateTimeEntry member
      DELETE deleteTimeEntry member
    /v1/organizations/{organizationID}/timeEntries/overlaps
      GET checkOverlap member
    /v1/organizations/{organizationID}/timeEntries/export
      GET exportTimeEntries member
    /v1/organizations/{organizationID}/timeEntries/calendar
      GET getCalendar member
    /v1/organizations/{organizationID}/reports/hours
      GET reportHours member
    /v1/organizations/{organizationID}/reports/timesheet
      GET getTimesheet member
    /v1/organizations/{organizationID}/reports/balance
      GET reportBalance member
    /v1/organizations/{organizationID}/reports/entitlements
      GET reportEntitlements member
    /v1/organizations/{organizationID}/reports/history
      GET getHistory member
    /v1/organizations/{organizationID}/sessions
      GET listSessions member
      POST createSession manager
    /v1/organizations/{organizationID}/sessions/{sessionId}
      GET getSession member
      PATCH updateSession manager
      DELETE deleteSession manager
    /v1/organizations/{organizationID}/breakTypes
      GET listBreakTypes member
      POST createBreakType admin
    /v1/organizations/{organizationID}/breakTypes/{breakTypeId}
      GET getBreakType member
      PATCH updateBreakType admin
    /v1/organizations/{organizationID}/groups
      GET listGroups manager
      POST createGroup admin
    /v1/organizations/{organizationID}/groups/{groupId}
      GET getGroup manager
      PATCH updateGroup admin
      DELETE deleteGroup admin
    /v1/organizations/{organizationID}/recordReads
      GET listRecordReads member
    /v1/organizations/{organizationID}/holidayCalendars
      GET listHolidayCalendars member
      POST createHolidayCalendar admin
    /v1/organizations/{organizationID}/holidayCalendars/{holidayCalendarId}
      GET getHolidayCalendar member
      PATCH updateHolidayCalendar admin
      DELETE deleteHolidayCalendar admin
    /v1/organizations/{organizationID}/holidayCalendars/{holidayCalendarId}/holidays
      GET listHolidays member
    /v1/organizations/{organizationID}/holidayCalendars/{holidayCalendarId}/holidays/{date}
      PUT putHoliday admin
      DELETE deleteHoliday admin
    /v1/organizations/{organizationID}/holidayCalendars/{holidayCalendarId}/import
      POST importHolidays admin
    /v1/organizations/{organizationID}/holidayPresets
      GET listHolidayPresets member
    /v1/organizations/{organizationID}/workSchedules
      GET listWorkSchedules member
      POST createWorkSchedule admin
    /v1/organizations/{organizationID}/workSchedules/bulk
      POST createWorkSchedules admin
    /v1/organizations/{organizationID}/workSchedules/{workScheduleId}
      GET getWorkSchedule member
      PATCH updateWorkSchedule admin
      DELETE deleteWorkSchedule admin
    /v1/organizations/{organizationID}/payRules
      GET listPayRules manager
      POST createPayRules admin
    /v1/organizations/{organizationID}/payRules/{payRulesId}
      GET getPayRules manager
      PATCH updatePayRules admin
      DELETE deletePayRules admin
    /v1/organizations/{organizationID}/absences
      GET listAbsences member
      POST requestAbsence member
    /v1/organizations/{organizationID}/absences/bulk
      POST createAbsences admin
    /v1/organizations/{organizationID}/absences/{absenceId}
      GET getAbsence member
      PATCH updateAbsence member
    /v1/organizations/{organizationID}/absences/{absenceId}/decide
      POST decideAbsence manager
    /v1/organizations/{organizationID}/absences/{absenceId}/cancel
      POST cancelAbsence member
    /v1/organizations/{organizationID}/entitlements
      GET listEntitlements member
      POST createEntitlement admin
    /v1/organizations/{organizationID}/entitlements/bulk
      POST createEntitlements admin
    /v1/organizations/{organizationID}/entitlements/{entitlementId}
      GET getEntitlement member
      PATCH updateEntitlement admin
      DELETE deleteEntitlement admin
    /v1/organizations/{organizationID}/adjustments
      GET listAdjustments member
      POST createAdjustment admin
    /v1/organizations/{organizationID}/adjustments/bulk
      POST createAdjustments admin
    /v1/organizations/{organizationID}/adjustments/{adjustmentId}
      GET getAdjustment member
      DELETE deleteAdjustment admin
    /v1/organizations/{organizationID}/timesheets/submit
      POST submitTimesheet member
    /v1/organizations/{organizationID}/timesheets/withdraw
      POST withdrawTimesheet member
    /v1/organizations/{organizationID}/timesheets/reject
      POST rejectTimesheet manager
    /v1/organizations/{organizationID}/timesheets/approve
      POST approveTimesheets manager
    /v1/organizations/{organizationID}/timesheets/reopen
      POST reopenTimesheet manager
    /v1/organizations/{organizationID}/periods
      GET listPeriods member
    /v1/organizations/{organizationID}/periods/{userId}
      GET getPeriod member
    /v1/organizations/{organizationID}/periods/lock
      POST lockPeriod admin
    /v1/organizations/{organizationID}/periods/unlock
      POST unlockPeriod admin
    /v1/organizations/{organizationID}/approvals
      GET listApprovals member
    /v1/organizations/{organizationID}/corrections
      GET listCorrections member
      POST requestCorrection member
    /v1/organizations/{organizationID}/corrections/{correctionId}
      GET getCorrection member
    /v1/organizations/{organizationID}/corrections/{correctionId}/decide
      POST decideCorrection member
    /v1/organizations/{organizationID}/corrections/{correctionId}/withdraw
      POST withdrawCorrection member
    /v1/organizations/{organizationID}/corrections/{correctionId}/object
      POST objectToCorrection member
    /v1/organizations/{organizationID}/projects
      GET listProjects member
      POST createProject member
    /v1/organizations/{organizationID}/projects/{projectId}
      GET getProject member
      PATCH updateProject member
      DELETE deleteProject member
    /v1/organizations/{organizationID}/tasks
      GET listTasks member
      POST createTask member
    /v1/organizations/{organizationID}/tasks/{taskId}
      GET getTask member
      PATCH updateTask member
      DELETE deleteTask member
    /v1/organizations/{organizationID}/clock
      GET getClock member
    /v1/organizations/{organizationID}/segments/start
      POST startSegment member
    /v1/organizations/{organizationID}/segments/stop
      POST stopSegment member
    /v1/organizations/{organizationID}/segments
      GET listSegments member
      POST createSegment member
    /v1/organizations/{organizationID}/segments/export
      GET exportSegments member
    /v1/organizations/{organizationID}/segments/{segmentId}
      GET getSegment member
      PATCH updateSegment member
      DELETE deleteSegment member
    /v1/organizations/{organizationID}/segments/overlaps
      GET checkSegmentOverlap member
    /api/auth/token
      POST taskTimerCreateToken open
      DELETE taskTimerDeleteToken user
    /api/tasks
      GET taskTimerListTasks user
      POST taskTimerCreateTask user
    /api/tasks/{taskId}
      GET taskTimerGetTask user
      PUT taskTimerUpdateTask user
      DELETE taskTimerHideTask user
    /api/events
      GET taskTimerListEvents user
      POST taskTimerCreateEvent user
    /api/events/{eventId}
      PUT taskTimerUpdateEvent user
      DELETE taskTimerDeleteEvent user
    /api/stats
      GET taskTimerGetStats user
    /api/timer/validate-start
      POST taskTimerValidateStart user
    /v1/organizations/{organizationID}/timers/current
      GET getCurrentTimer member
    /v1/organizations/{organizationID}/timers
      POST startTimer member
    /v1/organizations/{organizationID}/timers/current/pause
      POST pauseTimer member
    /v1/organizations/{organizationID}/timers/current/resume
      POST resumeTimer member
    /v1/organizations/{organizationID}/timers/current/adjust
      POST adjustTimer member
    /v1/organizations/{organizationID}/timers/current/skip
      POST skipTimer member
    /v1/organizations/{organizationID}/timers/current/stop
      POST stopTimer member
    /v1/organizations/{organizationID}/timers/current/next
      POST startNextTimer member
    /v1/organizations/{organizationID}/timers/current/presence
      POST setTimerPresence member
    /v1/organizations/{organizationID}/timers/current/routine
      PUT putRoutine member
      DELETE deleteRoutine member
    /v1/organizations/{organizationID}/timers/commands
      POST applyTimerCommands member
    /v1/organizations/{organizationID}/timers/settings
      GET getTimerSettings member
      PUT putTimerSettings member
    /v1/organizations/{organizationID}/timers/statistics
      GET getTimerStatistics member
    /v1/organizations/{organizationID}/timerSessions
      GET listTimerSessions member
    /v1/organizations/{organizationID}/timerSessions/{timerSessionId}
      PATCH updateTimerSession member
      DELETE deleteTimerSession member
    /v1/organizations/{organizationID}/liveActivity
      GET getLiveActivity member
    /v1/organizations/{organizationID}/pushTargets
      GET listPushTargets member
      POST createPushTarget member
    /v1/organizations/{organizationID}/pushTargets/{pushTargetId}
      DELETE deletePushTarget member
    /v1/organizations/{organizationID}/changes
      GET listChanges member
    /v1/organizations/{organizationID}/events
      GET streamEvents member
    /v1/organizations/{organizationID}/auditLog
      GET listAuditLog admin
    /v1/organizations/{organizationID}/reminders
      GET listReminders member
    /v1/organizations/{organizationID}/webhooks
      GET listWebhooks admin
      POST createWebhook admin
    /v1/organizations/{organizationID}/webhooks/{webhookId}
      GET getWebhook admin
      PATCH updateWebhook admin
      DELETE deleteWebhook admin
    /v1/organizations/{organizationID}/webhooks/{webhookId}/ping
      POST pingWebhook admin
    /v1/organizations/{organizationID}/webhooks/{webhookId}/deliveries
      GET listWebhookDeliveries admin
    /
      GET getService open
    /v1/version
      GET getVersion open
    /health/live
      GET getLiveness open
    /health/ready
      GET getReadiness open
    /openapi.yaml
      GET getOpenAPIDocument open
    """
}
