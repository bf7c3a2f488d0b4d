"""How often operations are drawn."""

# How often operations are drawn, other than by their methods.
WEIGHTS = {
    name: weight
    for weight, names in {
        1: "acceptInvitation anonymizeMember changePassword createOrganization createToken createWebhook deleteInvitation "
        "deleteToken deleteWebhook getLiveness getOpenAPIDocument getReadiness getService getVersion getWebhook "
        "listInvitations listReminders listWebhooks resetHistory updateWebhook",
        1.5: "approveTimesheets listApprovals listPeriods lockPeriod rejectTimesheet reopenTimesheet submitTimesheet "
        "unlockPeriod withdrawTimesheet getPeriod listRecordReads withdrawCorrection",
        2: "createGroup createInvitation deleteGroup deletePayRules getGroup getPayRules listGroups listPayRules updateGroup "
        "updateMe updatePayRules",
        3: "createAbsences createAdjustments createEntitlements createMembers createWorkSchedules "
        "deleteSession deleteTask getMember getSegment listMembers listTasks updateBreakType",
        4: "createApiToken createMember createPayRules createTask createTimeEntries deleteTimeEntry getClock getPresence "
        "listSegments",
        5: "createSegment createSession decideCorrection exportTimeEntries getCurrentTimeEntry getHistory getTimeEntry "
        "getTimesheet importTimeEntries listSessions stopSegment updateOrganization updateSegment updateSession updateTask",
        8: "createHolidayCalendar deleteHolidayCalendar getSession importHolidays reportHours "
        "requestCorrection updateHolidayCalendar",
        8.5: "createAdjustment createEntitlement createWorkSchedule reportBalance reportEntitlements getAccount",
        9: "decideAbsence startSegment updateMember updateTimeEntry",
        12: "deleteHoliday putHoliday requestAbsence",
        14: "clockIn clockOut createTimeEntry listTimeEntries",
    }.items()
    for name in names.split()
}
# What is only done once as it is meant, because it shows the present or reaches out.
SCRIPTED = (
    "applyPunches deleteLogIn deleteOtherLogIns exportSegments listLogIns listWebhookDeliveries objectToCorrection "
    "pingWebhook streamEvents undoPunch"
).split()


def is_scripted(operation):
    """Whether an operation is not drawn: it is scripted, or a part of a step of timers."""
    path = "".join(operation.parts)
    return operation.id in SCRIPTED or path.startswith("/api/") or "/timers" in path or "/pushTargets" in path
