import Foundation
import HTTPMessages
import Testing
import TimeclockDomain

@testable import TimeclockAPI

/// The structures are those that apps declare, and the decoder is Swift's own, as it comes.
@Suite("Live Activities as apps read them")
struct LiveActivityPayloadTests {
  /// 2026-11-20T09:00:00Z and this many milliseconds.
  private static func nine(_ milliseconds: Int64 = 0) -> Instant {
    Instant(millisecondsSince1970: 1_795_165_200_000 + milliseconds)
  }

  private static func text(_ activity: LiveActivity, _ dates: LiveActivityDates = .reference) throws -> String
  {
    guard case .bytes(let bytes) = activity.response(dates).body else { throw Absent() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded<Attributes: Decodable, State: Decodable>(
    _ activity: LiveActivity, _: Attributes.Type, _: State.Type, dates: LiveActivityDates = .reference,
    strategy: JSONDecoder.DateDecodingStrategy = .deferredToDate
  ) throws -> (Attributes, State) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = strategy
    let answer = try decoder.decode(
      Answer<Attributes, State>.self, from: Data(text(activity, dates).utf8))
    return (answer.attributes, answer.contentState)
  }

  private static func timer(
    _ type: TimerType, _ phase: ActiveTimer.Phase, until end: Instant?, subject: TimerSubject? = nil
  ) -> MemberTimer {
    var timer = MemberTimer.unused
    timer.active = ActiveTimer(
      id: TimerID(high: 5, low: 1), type: type, phase: phase, startTime: nine(500), endTime: end,
      lastStartTime: nine(500), pausedMilliseconds: 0, originalMilliseconds: 90_000,
      adjustedMilliseconds: 0, wasAdjusted: false, pausesInBackground: false, backgroundSince: nil,
      label: "\"Deep\" work", projectID: nil, taskID: nil, subject: subject)
    return timer
  }

  @Test("of a focus: 001")
  func focus() throws {
    let timer = Self.timer(
      .focus, .paused(since: Self.nine(60_750), byBackground: false), until: Self.nine(90_500))
    let activity = LiveActivity.focus(timer, LiveActivityNames(), at: Self.nine(70_000))
    #expect(
      try Self.text(activity) == """
        {"active":true,"attributesType":"GoodtimeActivityAttributes",\
        "attributes":{"label":"\\"Deep\\" work","labelColor":"#007AFF","isFocus":true,"isCountdown":true},\
        "contentState":{"timerStartDate":816858000.5,"timerEndDate":816858090.5,"isPaused":true,\
        "isRunning":false,"pausedTimeRemaining":29.75},"staleDate":null,"dismissal":null,\
        "serverTime":"2026-11-20T09:01:10.000Z"}
        """)
    let (attributes, state) = try Self.decoded(
      activity, FocusAttributes.self, FocusAttributes.ContentState.self)
    #expect(attributes.label == "\"Deep\" work" && attributes.isFocus && attributes.isCountdown)
    #expect(state.timerStartDate == Date(timeIntervalSince1970: 1_795_165_200.5))
    #expect(state.timerEndDate == Date(timeIntervalSince1970: 1_795_165_290.5))
    #expect(state.isPaused && !state.isRunning && state.pausedTimeRemaining == 29.75)
    #expect(state.pausedElapsedTime == nil)
  }

  @Test("of a rest: 004")
  func rest() throws {
    let timer = Self.timer(
      .rest, .running, until: Self.nine(90_500), subject: TimerSubject(id: "ex-7", name: "Bankdrücken"))
    let activity = LiveActivity.rest(timer, at: Self.nine(45_500))
    #expect(
      try Self.text(activity) == """
        {"active":true,"attributesType":"RestTimerAttributes",\
        "attributes":{"exerciseName":"Bankdrücken","originalDuration":90,"exerciseID":"ex-7"},\
        "contentState":{"remainingSeconds":45,"endDate":816858090.5,"isPaused":false,"progress":0.5,\
        "wasAdjusted":false},"staleDate":816858090.5,"dismissal":null,"serverTime":"2026-11-20T09:00:45.500Z"}
        """)
    let (attributes, state) = try Self.decoded(
      activity, RestTimerAttributes.self, RestTimerAttributes.ContentState.self)
    #expect(attributes.exerciseName == "Bankdrücken" && attributes.originalDuration == 90)
    #expect(attributes.exerciseID == "ex-7" && state.remainingSeconds == 45 && state.progress == 0.5)
    #expect(state.endDate == Date(timeIntervalSince1970: 1_795_165_290.5))
    #expect(!state.isPaused && !state.wasAdjusted)
  }

  @Test("of a routine: 004")
  func routine() throws {
    var timer = Self.timer(.rest, .running, until: Self.nine(90_500))
    timer.routine = TimerRoutine(
      name: nil, startTime: Self.nine(-600_000), currentItem: "Row", currentSet: 1, totalSets: 3,
      itemsCompleted: 0, totalItems: 5)
    let activity = LiveActivity.routine(timer, at: Self.nine())
    #expect(
      try Self.text(activity, .unix) == """
        {"active":true,"attributesType":"WorkoutActivityAttributes","attributes":{"startTime":1795164600},\
        "contentState":{"currentExercise":"Row","currentSet":1,"totalSets":3,"exercisesCompleted":0,\
        "totalExercises":5,"elapsedTime":600,"isResting":true,"restRemaining":90},"staleDate":1795193400,\
        "dismissal":null,"serverTime":"2026-11-20T09:00:00.000Z"}
        """)
    let (attributes, state) = try Self.decoded(
      activity, WorkoutActivityAttributes.self, WorkoutActivityAttributes.ContentState.self, dates: .unix,
      strategy: .secondsSince1970)
    #expect(attributes.workoutName == nil)
    #expect(attributes.startTime == Date(timeIntervalSince1970: 1_795_164_600))
    #expect(state.currentExercise == "Row" && state.currentSet == 1 && state.totalSets == 3)
    #expect(state.exercisesCompleted == 0 && state.totalExercises == 5 && state.elapsedTime == 600)
    #expect(state.isResting && state.restRemaining == 90)
    timer.active = nil
    let lifting = try Self.decoded(
      LiveActivity.routine(timer, at: Self.nine()), WorkoutActivityAttributes.self,
      WorkoutActivityAttributes.ContentState.self)
    #expect(!lifting.1.isResting && lifting.1.restRemaining == nil)
  }

  @Test("of work and of a task: 003 and 000")
  func work() throws {
    let zone = try #require(TimeZoneIdentifier("UTC"))
    let entry = TimeEntry(
      id: TimeEntryID(high: 3, low: 1), userID: UserID(high: 2, low: 1),
      organizationID: OrganizationID(high: 1, low: 1), clockInTime: Self.nine(1), clockOutTime: nil,
      date: LocalDate(daysSince1970: 20_777), timeZone: zone, offsetSeconds: 0, sessionID: nil, notes: nil,
      source: .api, flags: [], version: 1, createdAt: Self.nine(), updatedAt: Self.nine())
    let task = TaskID(high: 6, low: 1)
    let segment = Segment(
      id: SegmentID(high: 4, low: 1), organizationID: entry.organizationID, userID: entry.userID,
      timeEntryID: entry.id, purpose: SegmentPurpose(taskID: task), isPaid: true, isBillable: false,
      name: "Time entry", tags: [], startTime: Self.nine(1_000), endTime: nil, timeZone: zone, source: .api,
      version: 1, createdAt: Self.nine(), updatedAt: Self.nine())
    let clock = ClockState(
      of: entry, entries: [entry], segments: [segment], dayStart: Self.nine(-32_400_000),
      at: Self.nine(3_600_000))
    let names = LiveActivityNames(task: "Admin", project: "Harvest", color: ProjectColor(stored: "#FF8800"))
    let day = try Self.decoded(
      LiveActivity.work(clock, names), WorkAttributes.self, WorkAttributes.ContentState.self)
    #expect(day.0.timerName == "Work" && day.1.isRunning)
    #expect(day.1.startTime == Date(timeIntervalSinceReferenceDate: 816_858_000.001))
    #expect(day.1.activeProjectName == "Harvest" && day.1.activeProjectColor == "#FF8800")
    #expect(day.1.currentSessionTime == 3_599 && day.1.dailyTotalTime == 3_599)
    let one = try Self.decoded(
      LiveActivity.task(clock, names), TaskAttributes.self, TaskAttributes.ContentState.self,
      dates: .iso8601, strategy: .iso8601)
    #expect(one.0.taskId == task.text && one.0.taskName == "Admin" && one.1.elapsedSeconds == 3_599)
    #expect(one.1.startTime == Date(timeIntervalSince1970: 1_795_165_201))
  }

  @Test("that are over have no content")
  func over() throws {
    let clock = ClockState(clockedOutAt: Self.nine(), entries: [], dayStart: Self.nine())
    #expect(
      try Self.text(LiveActivity.task(clock, LiveActivityNames())) == """
        {"active":false,"attributesType":"TimerActivityAttributes","attributes":null,"contentState":null,\
        "staleDate":null,"dismissal":"immediate","serverTime":"2026-11-20T09:00:00.000Z"}
        """)
  }

  @Test("have a tag that time alone does not change")
  func tags() {
    let timer = Self.timer(.rest, .running, until: Self.nine(90_500))
    func tag(_ timer: MemberTimer, at now: Instant, _ dates: LiveActivityDates = .reference) -> String? {
      LiveActivity.rest(timer, at: now).response(dates).fields["ETag"]
    }
    let first = tag(timer, at: Self.nine(1_000))
    #expect(first?.hasPrefix("W/\"") == true && first == tag(timer, at: Self.nine(2_000)))
    #expect(first != tag(timer, at: Self.nine(1_000), .unix))
    #expect(first != tag(.unused, at: Self.nine(1_000)))
    var longer = timer
    longer.active?.endTime = Self.nine(105_500)
    #expect(first != tag(longer, at: Self.nine(1_000)))
  }

  @Test(
    "write dates before 2001 and 1970 with their sign",
    arguments: [(-500, "-0.5"), (-1_250, "-1.25"), (0, "0"), (7, "0.007")])
  func signs(_ milliseconds: Int64, _ text: String) {
    var writer = JSONWriter()
    writer.array([0, 0]) { writer, _ in writer.thousandths(milliseconds) }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\(text),\(text)]")
  }
}

private struct Absent: Error {}

private struct Answer<Attributes: Decodable, State: Decodable>: Decodable {
  let attributes: Attributes
  let contentState: State
}

// 000
private struct TaskAttributes: Decodable {
  struct ContentState: Codable, Hashable {
    var startTime: Date
    var elapsedSeconds: Int
  }

  var taskId: String
  var taskName: String
}

// 001 declares the content alone.
private struct FocusAttributes: Decodable {
  struct ContentState: Codable, Hashable {
    let timerStartDate: Date
    let timerEndDate: Date
    let isPaused: Bool
    let isRunning: Bool
    let pausedTimeRemaining: TimeInterval?
    let pausedElapsedTime: TimeInterval?
  }

  let label: String
  let labelColor: String
  let isFocus: Bool
  let isCountdown: Bool
}

// 003
private struct WorkAttributes: Decodable {
  struct ContentState: Codable, Hashable {
    var startTime: Date
    var isRunning: Bool
    var activeProjectName: String?
    var activeProjectColor: String?
    var currentSessionTime: TimeInterval
    var dailyTotalTime: TimeInterval
  }

  var timerName: String
}

// 004
private struct RestTimerAttributes: Decodable {
  struct ContentState: Codable, Hashable {
    var remainingSeconds: Int
    var endDate: Date
    var isPaused: Bool
    var progress: Double
    var wasAdjusted: Bool
  }

  var exerciseName: String
  var originalDuration: Int
  var exerciseID: String
}

private struct WorkoutActivityAttributes: Decodable {
  struct ContentState: Codable, Hashable {
    var currentExercise: String
    var currentSet: Int
    var totalSets: Int
    var exercisesCompleted: Int
    var totalExercises: Int
    var elapsedTime: Int
    var isResting: Bool
    var restRemaining: Int?
  }

  var workoutName: String?
  var startTime: Date
}
