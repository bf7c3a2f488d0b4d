"""The values of properties and parameters: words of ours by their names, else values that their schema takes and
refuses."""

from random_world.operations import has_null, resolved

ZONES = [
    *("Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Pacific/Kiritimati", "Etc/GMT+12"),
    *("Australia/Lord_Howe", "Asia/Calcutta", "EST5EDT", "UTC"),
]
NO_ZONES = ["Mars/Base", "../UTC", "", "europe/berlin", "posixrules", "Europe/Berlin ", "Zürich"]
NAMES = ["Ana", 'Küche "5"', "李雷", "👩‍🍳 Nina", "e\u0301", "\u00e9", "x" * 200, "  Bo  ", "O'Hara; --", "\u212aelvin"]
NO_NAMES = ["", "   ", "a\nb", "x" * 201, "\u202eevil", "nul\0"]
EMAILS = [f"p{number}@example.com" for number in range(12)] + [
    *("P3@Example.COM", "kelvin@example.com", "\u212aelvin@example.com", "ä@example.com", "a+b@sub.example.org")
]
NO_EMAILS = ["nobody", "@example.com", "a@", "a b@example.com", "x" * 250 + "@example.com", "", "a@b@c"]
NOTES = [
    *("", "  ", "opening", "<b>bold</b>", "😀" * 500, "x" * 500, "tab\tand\nline", "e\u0301\u00e9", "\u00a0pad\u00a0"),
    *("&lt;", "'); DROP TABLE time_entries; --", '\\ " / \u2028'),
]
NO_NOTES = ["x" * 501, "😀" * 501, "nul\0", "\u202eevil", "bell\a", "x" * 10_001]
PASSWORDS = ["correct horse", "staple battery"]
NO_PASSWORDS = ["short", "", "x" * 1_025]
BAD_TOKENS = ["0" * 64, "f" * 63, "F" * 64, "", "zz", "a" * 64 + " ", "\u00e9" * 64]
LABELS, NO_LABELS = ["Reading", " e\u0301 ", ""], ["a\nb", "x" * 201, 7]
# Stated, because each side would make another.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BREAKS = [{"afterSeconds": 21_600, "breakSeconds": 1_800}, {"afterSeconds": 32_400, "breakSeconds": 2_700}]

# Accepted and refused values, by the name of the property. None beside a list is for those that the schema refuses.
WORDS = {
    "name": (NAMES, NO_NAMES),
    "title": (NAMES, NO_NAMES),
    "location": (["", *NAMES], NO_NAMES),
    "client": (NAMES, [1]),
    "email": (EMAILS, NO_EMAILS),
    "timeZone": (ZONES, NO_ZONES),
    "notes": (NOTES, NO_NOTES),
    "reason": (["asked by mail", " 😀 <why> ", *NOTES], ["", "x" * 501, "\u202e"]),
    "personnelNumber": (["7", "007", " Ä 1 ", "=7"], ["", "\n", "1" * 65]),
    "search": (["a", "M", "ö", "example COM", "%", "7"], ["", " ", "a" * 201]),
    "tag": (["a", " b "], ["", "x" * 51]),
    "tags": ([[], ["a"], [" b ", "a", "a"]], [["x" * 51], [""], "a", [7]]),
    "color": (["#007AFF", "#34c7aF"], ["", "red", "#12345", 7]),
    # Reserved names, which nobody looks up.
    "url": (["https://a.example/x", "http://b.example:81?c=d"], ["ftp://a.example", "", "https://u@a.example"]),
    "secret": ([SECRET], ["whsec_", "x"]),
    "label": (LABELS, NO_LABELS),
    "limit": ([1, 2, 3, 5, 100, 1000], [0, 1001, -1, "x", "", "１", "+5", "05", 10**20]),
    "after": ([0, 5, 20, 100, 300], [-1, "x", "", 10**17, "05"]),
    "rounding": (["part:900:nearest", "part:360:up"], ["part:0:up", ""]),
    "epoch": (["0" * 16], ["x"]),
    # A policy with which much still succeeds, and whose service clocks nobody out meanwhile, nor reminds anybody.
    "minimumSeconds": ([0, 1, 60, 300], None),
    "maximumSeconds": ([57_600, 36_000, 604_800], None),
    "editWindowDays": ([0, 30, 3_650], None),
    "lookBackHours": ([72, 1, 240, 8_760], None),
    "notesMaximumCharacters": ([500, 10, 10_000], None),
    "autoClockOutAfter": ([1_209_600, 1_209_599], None),
    "dailyOvertimeAfter": ([28_800, 1_000], None),
    "weeklyOvertimeAfter": ([144_000, 5_000], None),
    "manualEntryDays": ([3_650], None),
    "membersMayCreateProjects": ([True, True, False], None),
    "membersMayEnterTimes": ([True, True, False], None),
    "projectRequired": ([False, False, True], None),
    "breakMinimumSeconds": ([900, 0], None),
    "breakRules": ([[], BREAKS], [[{"afterSeconds": 5}], [{"afterSeconds": 5, "breakSeconds": 1}] * 2]),
    "remindAfter": ([604_800, 604_799], None),
    "timerSessionDays": ([730, 2, 3_650], None),
    "managersSee": (["everyone", "everyone", "ownGroups"], ["nobody"]),
    "absenceApproval": ([["vacation", "unpaid"], [], ["sick"]], [["x"], "sick", [1]]),
    "selfApproval": ([False, True, True], None),
    "absenceKindsVisible": ([False, False, True], None),
    "allowNegativeEntitlement": ([True, True, False], None),
    "balanceCapAbove": ([None, 0, 36_000], [-1, 36_000_001]),
    "balanceCapBelow": ([None, 0, -36_000], [1, -36_000_001]),
    "correctionsNeed": (["nothing", "nothing", "nothing", "notice", "consent"], ["x"]),
    # Lengths after which nothing that begins at the present ends while the sides are asked.
    "focusSeconds": ([1_500, 3_000], None),
    "shortBreakSeconds": ([300, 600], None),
    "longBreakSeconds": ([900, 1_200], None),
    "countUpLimitSeconds": ([7_200], None),
    "restSeconds": ([180], None),
    "restBySubject": (
        [{}, {"squats": 240, "e\u0301": 60, "rows": 60}],
        [{"": 60}, {"a": 0}, {"a": 60, " a": 60}, {"a": "60"}, {f"s{number}": 60 for number in range(501)}],
    ),
    "topic": (["com.example.app"], ["", "com.example app"]),
    "attributesType": (["RestTimerAttributes"], ["A.B"]),
}
# How often a property that need not be there is stated: refused beside others, or seldom meant.
SELDOM = {
    "range": 0.1,
    "active": 0.3,
    "email": 0.4,
    "role": 0.4,
    "password": 1.0,
    "mustChangePassword": 0.15,
    "epoch": 0.03,
}
# The ids that properties are, by the words for their kinds.
IDENTIFIERS = {
    "breakTypeId": "breakTypes",
    "excludeEntryId": "timeEntries",
    "excludeSegmentId": "segments",
    "groupId": "groups",
    "holidayCalendarId": "holidayCalendars",
    "managerIds": "members",
    "memberIds": "members",
    "ownerId": "members",
    "projectId": "projects",
    "readerId": "members",
    "representativeIds": "members",
    "resourceId": "timeEntries",
    "sessionId": "sessions",
    "taskId": "tasks",
    "timeEntryId": "timeEntries",
    "userId": "members",
    "userIds": "members",
}


def taken_and_refused(name, schema):
    """Values for a property or a parameter, at its limits too, and some that it does not take."""
    taken, refused = WORDS.get(name, (None, None))
    if taken is None or refused is None:
        own, beyond = of_schema(resolved(schema))
        taken, refused = taken or own, refused or beyond
    return ([*taken, None] if has_null(schema) else taken), refused


def of_schema(schema):
    kind = schema.get("type", "object")
    kind = next(one for one in kind if one != "null") if isinstance(kind, list) else kind
    if "enum" in schema:
        return schema["enum"], [str(schema["enum"][0]).title(), "x", ""]
    if kind == "boolean":
        return [True, False], ["no", 1]
    if kind in ("integer", "number"):
        least, most = schema.get("minimum", 0), schema.get("maximum", 1_000)
        return sorted({least, min(least + 1, most), most}), [least - 1, most + 1, 1.5]
    if kind == "array":
        items = of_schema(resolved(schema["items"]))[0]
        return [[one] for one in items] + [list(items[:2])], [[], ["x"], "x"]
    return NAMES, NO_NAMES
