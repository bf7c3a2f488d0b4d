import Testing

@testable import TimeclockDomain

/// The stable codes and the sentences of refusals by the rules of time.
@Suite("Refusals")
struct RefusalTests {
  @Test(
    "have the code and the sentence of the rules",
    arguments: [
      (.notClockedIn, "not_clocked_in", "No active time entry found. Please clock in first."),
      (.notesTooLong(maximumCharacters: 500), "notes_too_long", "Notes cannot exceed 500 characters"),
      (.notesTooLong(maximumCharacters: 0), "notes_too_long", "Notes cannot exceed 0 characters"),
      (
        .notesInvalid, "notes_invalid", "Notes cannot hold control characters or bidirectional overrides"
      ),
      (.inFuture, "in_future", "Cannot create time entries for future dates"),
      (.endNotAfterStart, "end_not_after_start", "End time must be after start time"),
      (.tooLong(maximumSeconds: 57_600), "too_long", "Time entry cannot exceed 16 hours"),
      (.tooLong(maximumSeconds: 3_600), "too_long", "Time entry cannot exceed 1 hour"),
      (.tooLong(maximumSeconds: 5_400), "too_long", "Time entry cannot exceed 90 minutes"),
      (.tooLong(maximumSeconds: 61), "too_long", "Time entry cannot exceed 61 seconds"),
      (.tooShort(minimumSeconds: 60), "too_short", "Time entry must be at least 1 minute long"),
      (.tooShort(minimumSeconds: 120), "too_short", "Time entry must be at least 2 minutes long"),
      (.tooShort(minimumSeconds: 1), "too_short", "Time entry must be at least 1 second long"),
      (.overlap([], count: 1), "overlap", "The time overlaps 1 other time entry of the same member."),
      (.overlap([], count: 2), "overlap", "The time overlaps 2 other time entries of the same member."),
      (.entryActive, "entry_active", "The time entry is still active. Please clock out first."),
      (
        .editWindowClosed, "edit_window_closed",
        "This entry can no longer be changed. Ask a manager."
      ),
      (.tooFarBack(hours: 72), "too_far_back", "The time cannot be more than 72 hours ago"),
      (.sessionNotFound, "session_not_found", "There is no such session in this organization."),
      (.sessionNotAssigned, "session_not_assigned", "The session is not assigned to you."),
      (
        .reasonRequired, "reason_required",
        "State a reason for changing or deleting another member's record."
      ),
      (
        .reasonInvalid, "reason_invalid",
        "The reason cannot exceed 500 characters, nor hold control characters or bidirectional overrides"
      ),
    ] as [(TimeclockError, String, String)])
  func text(_ refusal: TimeclockError, _ code: String, _ sentence: String) {
    #expect(refusal.code == code)
    #expect(refusal.detail == sentence)
  }

  /// Every code point of the basic plane, and some beyond it, against the rule word by word.
  @Test("of notes are for control characters and bidirectional overrides, and for nothing else")
  func everyCodePoint() {
    let beyond = [0x1_0000, 0x1_F600, 0xE_0001, 0xE_007F, 0x10_FFFF] as [UInt32]
    for value in Array(0...0xFFFF as ClosedRange<UInt32>) + beyond {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
      let isOverride = (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
      let isRefused = (isControl && value != 0x09 && value != 0x0A) || isOverride
      let isTaken = (try? Notes.sanitized("a\(scalar)b", maximumCharacters: 500)) != nil
      #expect(isTaken == !isRefused, "U+\(String(value, radix: 16))")
    }
  }
}
