import Testing
import TimeclockDomain

@Suite("Live Activities of work")
struct WorkActivityTests {
  private static let task = TaskID(high: 6, low: 1)
  private static let project = ProjectID(high: 7, low: 1)
  private typealias Samples = LiveActivitySamples

  @Test("of a task count from the segment's start")
  func task() {
    let purpose = SegmentPurpose(projectID: Self.project, taskID: Self.task)
    let activity = LiveActivity.task(
      Samples.clock(for: purpose, at: Samples.nine(5_400, milliseconds: 999)),
      LiveActivityNames(task: "Project Alpha"))
    #expect(activity.dismissal == nil)
    #expect(activity.content?.activity == SegmentID(high: 4, low: 1).text)
    #expect(activity.content?.attributes.lines == ["taskId '\(Self.task)'", "taskName 'Project Alpha'"])
    #expect(activity.content?.state.lines == ["startTime 09:00 + 1800000", "elapsedSeconds 3600"])
    #expect(activity.content?.staleDate == Samples.nine(1_800 + 28_800))
    #expect(LiveActivityForm.task.attributesType == "TimerActivityAttributes")
  }

  @Test("of a task are over without one")
  func noTask() {
    for purpose in [
      nil, SegmentPurpose(projectID: Self.project), SegmentPurpose(breakTypeID: .init(high: 8, low: 1)),
    ] {
      let activity = LiveActivity.task(
        Samples.clock(for: purpose, at: Samples.nine(5_400)), LiveActivityNames())
      #expect(activity.content == nil && activity.dismissal == .immediate)
    }
  }

  @Test("of a day have its sum, and the project")
  func work() {
    let now = Samples.nine(5_400, milliseconds: 1)
    let plain = LiveActivity.work(Samples.clock(at: now), LiveActivityNames()).content
    #expect(plain?.activity == TimeEntryID(high: 3, low: 2).text)
    #expect(plain?.attributes.lines == ["timerName 'Work'"])
    #expect(
      plain?.state.lines == [
        "startTime 09:00 + 0", "isRunning true", "currentSessionTime 5400000 ms", "dailyTotalTime 9000000 ms",
      ])
    #expect(plain?.staleDate == Samples.nine(28_800))
    let purpose = SegmentPurpose(projectID: Self.project)
    let names = LiveActivityNames(project: "Harvest", color: ProjectColor(stored: "#FF8800"))
    let named = LiveActivity.work(Samples.clock(for: purpose, at: now), names).content
    #expect(
      named?.state.lines == [
        "startTime 09:00 + 0", "isRunning true", "activeProjectName 'Harvest'",
        "activeProjectColor '#FF8800'", "currentSessionTime 5400000 ms", "dailyTotalTime 9000000 ms",
      ])
    let task = LiveActivity.work(Samples.clock(for: purpose, at: now), LiveActivityNames(task: "Admin"))
      .content
    #expect(task?.state.lines.filter { $0.hasPrefix("activeProject") } == ["activeProjectName 'Admin'"])
  }

  @Test("of a day are over for a member who is out")
  func out() {
    let clock = ClockState(clockedOutAt: Samples.nine(), entries: [], dayStart: Samples.nine(-32_400))
    let activity = LiveActivity.work(clock, LiveActivityNames())
    #expect(activity.content == nil && activity.dismissal == .immediate && activity.time == Samples.nine())
  }

  @Test("are the same while only time passes, and differ for a correction and a change of work")
  func tags() throws {
    let names = LiveActivityNames(project: "Harvest")
    let purpose = SegmentPurpose(projectID: Self.project)
    func content(_ clock: ClockState, _ names: LiveActivityNames) throws -> LiveActivityContent {
      try #require(LiveActivity.work(clock, names).content)
    }
    let first = try content(Samples.clock(for: purpose, at: Samples.nine(5_400)), names)
    let later = try content(Samples.clock(for: purpose, at: Samples.nine(9_000)), names)
    #expect(first.tag == later.tag && first.state != later.state)
    let renamed = try content(
      Samples.clock(for: purpose, at: Samples.nine(5_400)), LiveActivityNames(project: "Vintage"))
    #expect(renamed.tag != first.tag && renamed.stateTag == first.stateTag)
    let other = try content(Samples.clock(at: Samples.nine(5_400)), names)
    #expect(other.stateTag != first.stateTag && other.activity == first.activity)
    var corrected = Samples.clock(for: purpose, at: Samples.nine(5_400))
    corrected.dailySeconds += 60
    #expect(try content(corrected, names).tag != first.tag)
  }
}
