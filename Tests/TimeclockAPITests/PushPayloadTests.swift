import Foundation
import Procedures
import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Messages to phones as Apple takes them")
struct PushPayloadTests {
  /// 2026-11-20T09:00:00Z.
  private static let now = Instant(millisecondsSince1970: 1_795_165_200_000)

  private static func target(_ kind: PushTarget.Kind, _ form: LiveActivityForm?) throws -> PushTarget {
    PushTarget(
      id: PushTargetID(high: 1, low: 1), kind: kind, form: form,
      token: PushToken(stored: [UInt8](repeating: 7, count: 32)), topic: try PushTopic("com.example.app"),
      environment: .production, dates: .reference, attributesType: kind == .pushToStart ? "Pause" : nil,
      createdAt: now, expiresAt: nil)
  }

  private static func rest(_ name: String, _ phase: ActiveTimer.Phase = .running) -> MemberTimer {
    var timer = MemberTimer.unused
    timer.active = ActiveTimer(
      id: TimerID(high: 5, low: 1), type: .rest, phase: phase, startTime: now,
      endTime: now.adding(milliseconds: 90_000), lastStartTime: now, pausedMilliseconds: 0,
      originalMilliseconds: 90_000, adjustedMilliseconds: 0, wasAdjusted: false, pausesInBackground: false,
      backgroundSince: nil, label: nil, projectID: nil, taskID: nil,
      subject: TimerSubject(id: "b", name: name))
    return timer
  }

  private static func text(_ body: PushBody) -> String { String(decoding: body.bytes, as: UTF8.self) }

  private static let state = """
    {"remainingSeconds":90,"endDate":816858090,"isPaused":false,"progress":1,"wasAdjusted":false}
    """

  @Test("start with attributes and words, update with content, and end with what was sent last")
  func activities() throws {
    let content = try #require(LiveActivity.rest(Self.rest("Bench"), at: Self.now).content)
    let start = PushContent.start(content, PushAlert(title: "Rest", body: "Bench"))
      .body(to: try Self.target(.pushToStart, .rest), at: Self.now)
    #expect(
      Self.text(start) == """
        {"aps":{"timestamp":1795165200,"event":"start","content-state":\(Self.state),"stale-date":1795165290,\
        "attributes-type":"Pause",\
        "attributes":{"exerciseName":"Bench","originalDuration":90,"exerciseID":"b"},\
        "alert":{"title":"Rest","body":"Bench"}}}
        """)
    #expect(start.content == nil)
    let target = try Self.target(.liveActivity, .rest)
    let update = PushContent.update(content, isUrgent: true).body(to: target, at: Self.now)
    #expect(
      Self.text(update) == """
        {"aps":{"timestamp":1795165200,"event":"update","content-state":\(Self.state),"stale-date":1795165290}}
        """)
    #expect(update.content == Self.state)
    let paused = try #require(
      LiveActivity.rest(Self.rest("Bench", .paused(since: Self.now, byBackground: false)), at: Self.now)
        .content)
    #expect(
      !Self.text(PushContent.update(paused, isUrgent: true).body(to: target, at: Self.now)).contains("stale"))
    let end = PushContent.end(content: update.content, .immediate).body(to: target, at: Self.now)
    #expect(
      Self.text(end) == """
        {"aps":{"timestamp":1795165200,"event":"end","content-state":\(Self.state),"dismissal-date":1795165200}}
        """)
    #expect(
      Self.text(PushContent.end(content: nil, .default).body(to: target, at: Self.now)) == """
        {"aps":{"timestamp":1795165200,"event":"end"}}
        """)
    #expect(!Self.text(start).contains("null"))
  }

  @Test("of a timer's end are notifications")
  func alerts() throws {
    var timer = Self.rest("")
    timer.active?.type = .longBreak
    timer.active?.phase = .finished(at: Self.now)
    let end = try #require(TimerEnd(of: timer))
    let body = PushContent.alert(end).body(to: try Self.target(.alert, nil), at: Self.now)
    #expect(
      Self.text(body) == """
        {"aps":{"alert":{"title":"Break Complete","body":"Tap to continue"},"sound":"default"}}
        """)
  }

  @Test("have at most 4,096 bytes, and are JSON, however long the names are")
  func length() throws {
    let name = String(repeating: "\u{1F3CB}\"", count: 100)
    var timer = Self.rest(name)
    timer.routine = TimerRoutine(
      name: name, startTime: Self.now, currentItem: name, currentSet: 1, totalSets: 2, itemsCompleted: 3,
      totalItems: 4)
    timer.active?.subject = TimerSubject(id: String(repeating: "\u{1F3CB}", count: 100), name: name)
    for form in [LiveActivityForm.rest, .routine] {
      let activity: LiveActivity = form == .rest ? .rest(timer, at: Self.now) : .routine(timer, at: Self.now)
      let content = try #require(activity.content)
      var target = try Self.target(.pushToStart, form)
      target.attributesType = String(repeating: "A", count: 100)
      for alert in [name, String(repeating: "\\", count: 2_000)] {
        let body = PushContent.start(content, PushAlert(title: alert, body: alert)).body(
          to: target, at: Self.now)
        #expect(body.bytes.count <= 4_096)
        let json = try JSONSerialization.jsonObject(with: Data(body.bytes)) as? [String: [String: Any]]
        #expect(json?["aps"]?["attributes"] != nil)
      }
    }
  }
}
