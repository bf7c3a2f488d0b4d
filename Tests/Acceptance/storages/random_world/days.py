"""Rare cases among random operations, once as they are meant, and a look at everything in the end."""

import datetime
import time

from random_world.operations import OPERATIONS
from random_world.requests import Pair
from random_world.values import PASSWORDS, SECRET


class Days:
    def leave(self):
        """Somebody comes, logs in and out, and is forgotten."""
        one = self.make_organization(2)
        admin = one.tokens[0]
        account = {"email": "leaver@example.com", "password": PASSWORDS[0]}
        answer = self.add_member(one, {**account, "name": "Leaver", "role": "member"})
        person = one.known["members"][-1]
        self.meant("updateMember", admin, one.id, person, body={"name": "Parting"}, seen=answer)
        self.use_what_there_is(one, admin)
        reset = {"scope": ["segments", "projects"], "reason": "Asked to"}
        self.meant("resetHistory", admin, one.id, person, body=reset)
        token = self.log_in(account)
        self.meant("updateMe", token, body={"name": "Leaving"})
        for name in ["getOpenAPIDocument", "getService", "getVersion"]:
            self.meant(name, None)
        self.use_a_device(one, token)
        self.use_a_focus_timer(one, token)
        phone = {"kind": "alert", "token": "0123456789abcdef" * 4, "topic": "com.example.app"}
        target, _ = self.made("createPushTarget", token, one.id, body=phone)
        self.meant("listPushTargets", token, one.id)
        self.meant("deletePushTarget", token, one.id, target)
        self.use_a_timer_app(account)
        listed, _ = self.meant("listLogIns", token)
        self.meant("deleteLogIn", token, Pair(*[each["logIns"][0]["id"] for each in listed]))
        self.meant("deleteOtherLogIns", self.log_in(account))
        self.meant("deleteToken", self.log_in(account))
        _, seen = self.meant("getMember", admin, one.id, person)
        self.meant("deactivateMember", admin, one.id, person, seen=seen)
        self.meant("anonymizeMember", admin, one.id, person)
        self.invite(one, admin)

    def use_schedules(self, one, admin):
        """What a member owes, and what changes the balance."""
        of_member = {"userId": one.known["members"][1]}
        plan = {**of_member, "from": "2025-06-01", "weeklySeconds": 138_600, "workDays": ["monday", "friday"]}
        schedule, seen = self.made("createWorkSchedule", admin, one.id, body=plan)
        _, seen = self.meant("updateWorkSchedule", admin, one.id, schedule, body={"workdayStart": "06:00"}, seen=seen)
        paid = {**of_member, "date": "2026-01-02", "seconds": -60, "kind": "payout", "reason": "Paid"}
        adjustment, of_adjustment = self.made("createAdjustment", admin, one.id, body=paid)
        self.meant("getAdjustment", admin, one.id, adjustment)
        self.meant("deleteAdjustment", admin, one.id, adjustment, seen=of_adjustment)
        days = {**of_member, "year": 2030, "days": 28.75}
        entitlement, of_days = self.made("createEntitlement", admin, one.id, body=days)
        _, of_days = self.meant("updateEntitlement", admin, one.id, entitlement, body={"days": 1}, seen=of_days)
        self.meant("getEntitlement", admin, one.id, entitlement)
        self.meant("deleteEntitlement", admin, one.id, entitlement, seen=of_days)
        for name, row in (
            ("createWorkSchedules", {**plan, "from": "2027-01-01"}),
            ("createEntitlements", {**days, "year": 2031}),
            ("createAdjustments", paid),
        ):
            self.meant(name, admin, one.id, body={"mode": "atomic", "rows": [row]})
        self.meant("getWorkSchedule", admin, one.id, schedule)
        self.meant("deleteWorkSchedule", admin, one.id, schedule, seen=seen)

    def use_absences(self, one, admin):
        """Dates on which somebody is absent, and the decisions about them."""
        of_member = {"userId": one.known["members"][1]}
        dates = {"kind": "vacation", "startDate": "2027-06-01", "endDate": "2027-06-04", "portion": "day"}
        self.meant("updateOrganization", admin, one.id, body={"version": 2, "policy": {"selfApproval": True}})
        asked, seen = self.made("requestAbsence", admin, one.id, body=dates)
        self.meant("updateAbsence", admin, one.id, asked, body={"portion": "half"}, seen=seen)
        self.meant("decideAbsence", admin, one.id, asked, body={"decision": "approve", "note": "Have fun"})
        self.meant("getAbsence", admin, one.id, asked)
        self.meant("cancelAbsence", admin, one.id, asked)
        self.meant("createAbsences", admin, one.id, body={"mode": "atomic", "rows": [{**of_member, **dates}]})
        self.meant("listAbsences", admin, one.id, query="?state=approved&startDate=2027-06-02")

    def use_marks(self, one, admin):
        """A month is settled, a change of it refused, and everything taken back."""
        member = one.known["members"][1]
        last, why = {"through": "2024-03-31"}, {"reason": "A night is missing"}
        self.meant("submitTimesheet", admin, one.id, body={**last, "userId": member, "complete": True})
        self.meant("rejectTimesheet", admin, one.id, body={**why, "userId": member})
        approved = {**last, "userIds": [member], "includeUnsubmitted": True}
        self.meant("approveTimesheets", admin, one.id, body=approved)
        self.meant("lockPeriod", admin, one.id, body={**last, "all": True, "includeUnapproved": True})
        early = {"clockInTime": "2024-03-27T08:00:00Z", "clockOutTime": "2024-03-27T16:00:00Z"}
        self.meant("createTimeEntry", admin, one.id, body={**early, "userId": member})
        self.meant("getPeriod", admin, one.id, member)
        for name in ("listPeriods", "listApprovals"):
            self.meant(name, admin, one.id)
        self.meant("listPeriods", admin, one.id, query="?state=locked&through=2024-03-31")
        self.meant("unlockPeriod", admin, one.id, body={**why, "all": True, "through": None})
        for user in one.known["members"]:
            self.meant("reopenTimesheet", admin, one.id, body={**why, "userId": user, "through": None})
        self.meant("submitTimesheet", admin, one.id, body={**last, "complete": True})
        self.meant("withdrawTimesheet", admin, one.id)

    def use_corrections(self, one, admin):
        """Changes of somebody's time, decided about, made at once and taken back."""
        user = {"userId": one.known["members"][1]}
        made, _ = self.meant("createApiToken", admin, one.id, body={"name": "Phone", **user})
        member = self.each(made, "token")
        times = {"clockInTime": "2024-04-27T08:00:00Z", "clockOutTime": "2024-04-27T16:00:00Z"}
        new = {"proposal": times, "reason": "No phone"}
        asked, seen = self.made("requestCorrection", member, one.id, body=new)
        self.meant("getCorrection", member, one.id, asked)
        agree = {"decision": "agree", "answer": "Sure"}
        agreed, _ = self.meant("decideCorrection", admin, one.id, asked, body=agree, seen=seen)
        gone = {**user, "timeEntryId": self.each(agreed, "timeEntryId"), "proposal": {"delete": True}}
        applied, _ = self.made("requestCorrection", admin, one.id, body={**gone, "apply": True, "reason": "Never was"})
        self.meant("objectToCorrection", member, one.id, applied, body={"reason": "I was there"})
        again, _ = self.made("requestCorrection", admin, one.id, body={**new, **user})
        self.meant("withdrawCorrection", admin, one.id, again)
        self.meant("listCorrections", admin, one.id, query="?state=agreed")

    def represent(self, one, admin, crew, seen):
        """Somebody reads the time of a group that they represent, and then no longer."""
        speaker = one.known["members"][1]
        made, _ = self.meant("createApiToken", admin, one.id, body={"name": "Council", "userId": speaker})
        token = self.each(made, "token")
        _, seen = self.meant("updateGroup", admin, one.id, crew, body={"representativeIds": [speaker]}, seen=seen)
        of_crew = f"?groupId={crew}"
        dates = f"{of_crew}&startDate=2026-03-01&endDate=2026-03-31"
        for name, query in (
            ("listTimeEntries", of_crew),
            ("exportTimeEntries", of_crew),
            ("reportHours", f"{dates}&groupBy=user,day"),
            ("reportBalance", dates),
        ):
            self.meant(name, token, one.id, query=query)
        for reader in (admin, token):
            self.meant("listRecordReads", reader, one.id)
        return self.meant("updateGroup", admin, one.id, crew, body={"representativeIds": []}, seen=seen)

    def use_what_there_is(self, one, admin):
        """Each kind of record is made, changed and deleted."""
        self.meant("updateOrganization", admin, one.id, body={"version": 1, "policy": {"lookBackHours": 24}})
        several = [{"email": "several@example.com", "name": "Several", "role": "member"}]
        self.meant("createMembers", admin, one.id, body={"members": several})
        program, _ = self.made("createApiToken", admin, one.id, body={"name": "T", "userId": one.known["members"][1]})
        self.meant("deleteApiToken", admin, one.id, program)
        shift = {"clockInTime": "2026-03-27T08:00:00Z", "clockOutTime": "2026-03-27T16:00:00Z"}
        shift, seen = self.made("createTimeEntry", admin, one.id, body=shift)
        _, seen = self.meant("updateTimeEntry", admin, one.id, shift, body={"notes": "Early"}, seen=seen)
        self.meant("deleteTimeEntry", admin, one.id, shift, seen=seen)
        tea, seen = self.made("createBreakType", admin, one.id, body={"name": "Tea", "isPaid": True})
        self.meant("getBreakType", admin, one.id, tea)
        self.meant("updateBreakType", admin, one.id, tea, body={"name": "Coffee", "archived": True}, seen=seen)
        self.use_schedules(one, admin)
        self.use_absences(one, admin)
        self.use_marks(one, admin)
        self.use_corrections(one, admin)
        place, seen = self.made("createHolidayCalendar", admin, one.id, body={"name": "Bavaria"})
        _, seen = self.meant("updateHolidayCalendar", admin, one.id, place, body={"name": "Berlin"}, seen=seen)
        self.meant("putHoliday", admin, one.id, place, "2026-12-24", body={"name": "Christmas Eve", "percent": 50})
        self.meant("deleteHoliday", admin, one.id, place, "2026-12-24")
        self.meant("deleteHolidayCalendar", admin, one.id, place, seen=seen)
        self.meant("exportPersonalData", admin, one.id, one.known["members"][1])
        pay = {"from": "2026-03-09", "breakRules": [{"afterSeconds": 21_600, "breakSeconds": 1_800}]}
        pay, seen = self.made("createPayRules", admin, one.id, body=pay)
        other = {"from": "2026-03-15", "weekStart": "sunday", "weeklyOvertimeAfter": 36_000}
        _, seen = self.meant("updatePayRules", admin, one.id, pay, body=other, seen=seen)
        self.meant("getPayRules", admin, one.id, pay)
        self.meant("listPayRules", admin, one.id)
        self.meant("reportHours", admin, one.id, query="?startDate=2026-03-01&endDate=2026-03-31&groupBy=user,day")
        self.meant("deletePayRules", admin, one.id, pay, seen=seen)
        crew, seen = self.made(
            "createGroup", admin, one.id, body={"name": "Crew", "memberIds": one.known["members"][:1]}
        )
        of_crew = {"managerIds": one.known["members"][:2]}
        _, seen = self.meant("updateGroup", admin, one.id, crew, body=of_crew, seen=seen)
        self.meant("getGroup", admin, one.id, crew)
        _, seen = self.represent(one, admin, crew, seen)
        self.meant("deleteGroup", admin, one.id, crew, seen=seen)
        # Of a kind that does not change before it is off.
        hook = {"url": "https://a.example", "resources": ["invitation"], "secret": SECRET}
        hook, seen = self.made("createWebhook", admin, one.id, body=hook)
        _, seen = self.meant("updateWebhook", admin, one.id, hook, body={"enabled": False}, seen=seen)
        self.meant("getWebhook", admin, one.id, hook)
        self.meant("listWebhooks", admin, one.id)
        self.meant("pingWebhook", admin, one.id, hook)
        self.meant("listWebhookDeliveries", admin, one.id, hook)
        self.meant("deleteWebhook", admin, one.id, hook, seen=seen)
        project, seen = self.made("createProject", admin, one.id, body={"name": "Harvest"})
        _, seen = self.meant("updateProject", admin, one.id, project, body={"color": "#000000"}, seen=seen)
        task, of_task = self.made("createTask", admin, one.id, body={"name": "Pick", "projectId": project})
        _, of_task = self.meant("updateTask", admin, one.id, task, body={"projectId": None}, seen=of_task)
        self.meant("getTask", admin, one.id, task)
        self.meant("deleteTask", admin, one.id, task, seen=of_task)
        self.meant("deleteProject", admin, one.id, project, seen=seen)
        late, seen = self.made("createSession", admin, one.id, body={"date": "2026-03-28", "title": "Late"})
        self.meant("updateSession", admin, one.id, late, body={"title": "Later"}, seen=seen)
        wedding, seen = self.made("createSession", admin, one.id, body={"date": "2026-03-29", "title": "Wedding"})
        self.meant("deleteSession", admin, one.id, wedding, seen=seen)
        work = {"projectId": self.made("createProject", admin, one.id, body={"name": "Work"})[0]}
        span = {"startTime": "2026-03-28T20:00:00Z", "endTime": "2026-03-28T21:00:00Z", "timeEntry": "create"}
        segment, seen = self.made("createSegment", admin, one.id, body={**work, **span})
        _, seen = self.meant("updateSegment", admin, one.id, segment, body={"tags": ["late"]}, seen=seen)
        self.meant("getSegment", admin, one.id, segment)
        self.meant("deleteSegment", admin, one.id, segment, seen=seen)
        self.meant("startSegment", admin, one.id, body=work)
        self.meant("getClock", admin, one.id)
        time.sleep(0.003)
        self.meant("stopSegment", admin, one.id, body={"clockOut": True})
        rows = b"start,stop\n2026-03-28T22:00:00Z,2026-03-29T06:00:00Z\n"
        query = ["?format=timetagger&userId=", one.known["members"][0]]
        kind = [("Content-Type", "text/csv")]
        self.meant("importTimeEntries", admin, one.id, body=rows, query=query, fields=kind)

    def use_a_device(self, one, token):
        """Somebody's queue of a month ago, twice, and a press that is taken back."""
        noted = (self.start.date() - datetime.timedelta(days=30)).isoformat()
        pressed = "019aa0f2-3c00-7a10-8b20-00000000000"
        punches = [
            {"id": f"{pressed}{number}", "type": kind, "at": f"{noted}T0{number}:00:00Z"}
            for number, kind in ((1, "clockIn"), (2, "stopSegment"), (3, "clockOut"))
        ]
        for _ in range(2):
            self.meant("applyPunches", token, one.id, body={"punches": punches})
        now = {"id": f"{pressed}4", "type": "clockIn", "at": datetime.datetime.now(datetime.UTC).isoformat()}
        self.meant("applyPunches", token, one.id, body={"punches": [now]})
        for _ in range(2):
            self.meant("undoPunch", token, one.id, now["id"])

    def invite(self, one, admin):
        self.add_member(one, {"email": "guest@example.com", "name": "Guest", "role": "member"})
        guest = {"userId": one.known["members"][-1]}
        invited, _ = self.meant("createInvitation", admin, one.id, body=guest)
        self.meant("listInvitations", admin, one.id)
        stated = {"token": self.each(invited, "token"), "password": PASSWORDS[0]}
        for _ in range(2):
            self.meant("acceptInvitation", None, body=stated)
        invitation, _ = self.made("createInvitation", admin, one.id, body=guest)
        self.meant("deleteInvitation", admin, one.id, invitation)

    def use_a_timer_app(self, person):
        """Somebody's day with a timer app, with times that are stated: those of the moment differ from side to side."""
        granted, _ = self.meant("taskTimerCreateToken", None, body={**person, "device": "phone"})
        token = self.each(granted, "token")
        task, _ = self.made("taskTimerCreateTask", token, body={"name": "Pick"})
        self.meant("taskTimerGetTask", token, task)
        self.meant("taskTimerUpdateTask", token, task, body={"name": "Picking", "events": []})
        # Within the days in which members change ended entries.
        day = (self.start.date() - datetime.timedelta(days=20)).isoformat()
        event = {"taskId": task, "duration": 5_400_000, "createdAt": f"{day}T00:30:00.000Z"}
        done, _ = self.made("taskTimerCreateEvent", token, body=event)
        self.meant("taskTimerCreateEvent", token, body=event)
        self.meant("taskTimerUpdateEvent", token, done, body={"duration": 7_200_000, "name": "Rows"})
        for hour in ["01", "12"]:
            self.meant("taskTimerValidateStart", token, body={"newStartTime": f"{day}T{hour}:00:00Z"})
        for name in ["taskTimerListTasks", "taskTimerListEvents", "taskTimerGetStats"]:
            self.meant(name, token)
        self.meant("taskTimerDeleteEvent", token, done)
        self.meant("taskTimerHideTask", token, task)
        self.meant("taskTimerListTasks", token, query="?hidden=true")
        self.meant("taskTimerDeleteToken", token)

    def look_at_everything(self):
        """All lists, whole, by everybody, and everything else that exists once."""
        lists = [one.id for one in OPERATIONS.values() if one.page and [*one.ids] == ["organizationID"]]
        forms = [(name, "?limit=1000") for name in [*lists, "listChanges"]] + [
            *[("getOrganization", ""), ("getCurrentTimer", ""), ("getTimerSettings", "")],
            *[("getTimerStatistics", "?groupBy=label"), ("getCalendar", "?startDate=1900-01-01")],
            *[("exportTimeEntries", "?format=csv"), ("exportTimeEntries", "?format=ndjson")],
            # Before today, where nothing is running.
            ("exportSegments", "?format=ndjson&endDate=2026-10-31"),
            ("streamEvents", "?after=0&seconds=0"),
        ]
        for one in self.organizations:
            for token in one.tokens:
                for name, query in forms:
                    self.meant(name, token, one.id, query=query)
