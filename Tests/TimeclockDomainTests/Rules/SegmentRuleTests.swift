import Testing

@testable import TimeclockDomain

@Suite("Segments")
struct SegmentRuleTests {
  private static let project = ProjectID(high: 1, low: 1)
  private static let other = ProjectID(high: 1, low: 2)
  private static let task = TaskID(high: 2, low: 1)
  private static let lunch = BreakTypeID(high: 3, low: 1)

  @Test("A name that is left out, or empty, is the standard one")
  func names() throws {
    for text in [nil, "", " \n "] {
      #expect(try SegmentText.name(text) == SegmentText.standardName)
    }
    #expect(try SegmentText.name("  Picking ") == "Picking")
    for text in [String(repeating: "ä", count: 201), "a\nb", "a\u{202E}b"] {
      #expect(throws: TimeclockError.invalidName) { try SegmentText.name(text) }
    }
  }

  @Test("Tags are kept once each, in their order, and compared by their bytes")
  func tags() throws {
    #expect(try SegmentText.tags([]) == [])
    let longest = String(repeating: "ä", count: 50)
    #expect(try SegmentText.tags([" b ", "a", "b", longest]) == ["b", "a", longest])
    #expect(try SegmentText.tags(["\u{E9}", "e\u{301}"]).count == 2)
    let ten = (1...10).map { "t\($0)" }
    #expect(try SegmentText.tags(ten) == ten)
    for texts in [[""], [" "], ["a\nb"], ["a\0"], [longest + "ä"], ten + ["t1"]] {
      #expect(throws: TimeclockError.invalidTags, "\(texts)") { try SegmentText.tags(texts) }
    }
  }

  @Test("A change states another purpose, or leaves the one there is")
  func purposes() {
    let work = SegmentPurpose(projectID: Self.project, taskID: Self.task)
    let rest = SegmentPurpose(breakTypeID: Self.lunch)
    let changes: [(SegmentPurpose, SegmentChanges, SegmentPurpose)] = [
      (work, SegmentChanges(), work),
      (work, SegmentChanges(projectID: Self.project), work),
      (work, SegmentChanges(projectID: Self.other), SegmentPurpose(projectID: Self.other)),
      (work, SegmentChanges(projectID: .some(nil)), SegmentPurpose()),
      (work, SegmentChanges(taskID: .some(nil)), SegmentPurpose(projectID: Self.project)),
      (work, SegmentChanges(taskID: Self.task), SegmentPurpose(taskID: Self.task)),
      (
        work, SegmentChanges(projectID: Self.other, taskID: Self.task),
        SegmentPurpose(projectID: Self.other, taskID: Self.task)
      ),
      (work, SegmentChanges(breakTypeID: Self.lunch), rest),
      (rest, SegmentChanges(projectID: Self.project), SegmentPurpose(projectID: Self.project)),
      (rest, SegmentChanges(projectID: .some(nil), taskID: .some(nil)), rest),
    ]
    for (before, change, after) in changes {
      #expect(change.purpose(from: before) == after, "\(change) of \(before)")
    }
  }

  @Test("A clock shows hours without a leading zero")
  func display() {
    var state = ClockState(clockedOutAt: .latest, entries: [], dayStart: .earliest)
    #expect(state.display == "0:00:00 (0:00:00)" && state.status == .clockedOut)
    (state.sessionSeconds, state.dailySeconds) = (330, 9_915)
    #expect(state.display == "0:05:30 (2:45:15)")
    state.dailySeconds = 360_059
    #expect(state.display == "0:05:30 (100:00:59)")
  }
}
