/// A member's settings of timers. A change counts from the next timer on.
package struct TimerSettings: Hashable, Sendable {
  package var focusSeconds: Int64 = 1_500
  package var shortBreakSeconds: Int64 = 300
  package var longBreakSeconds: Int64 = 900
  /// The number of focus sessions after which the break is a long one.
  package var sessionsBeforeLongBreak: Int64 = 4
  /// Whether a focus counts down if its start does not say.
  package var isCountdown = true
  package var breaksEnabled = true
  package var longBreaksEnabled = true
  /// Whether a focus starts by itself.
  package var autoStartFocus = false
  /// Whether a break starts by itself.
  package var autoStartBreak = false
  /// The most timers in a row that start by themselves.
  package var autoStartMaximum: Int64 = 8
  package var countUpLimitSeconds: Int64 = 28_800
  /// Whether rests start automatically.
  package var restEnabled = true
  package var restSeconds: Int64 = 90
  /// The seconds of a rest after the subject with this id.
  package var restBySubject: [String: Int64] = [:]
  /// Whether a client that is in the background for long pauses the timer.
  package var pauseInBackground = false
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64 = 1

  /// The settings of a member who never stated any.
  package init() {}

  /// The settings of a member who never stated any.
  package static let standard = TimerSettings()

  /// The values that each number may be set to.
  package enum Bounds {
    package static let seconds = TimerLimits.seconds
    package static let sessionsBeforeLongBreak: ClosedRange<Int64> = 1...20
    package static let autoStartMaximum: ClosedRange<Int64> = 0...24
    package static let countUpLimitSeconds: ClosedRange<Int64> = 60...54_000
    /// The most subjects with a rest of their own.
    package static let subjects = 500
  }

  /// Checks every number against its bounds, and takes white space off the ids of subjects.
  ///
  /// - Throws: `TimeclockError.invalidTimerSettings` naming the setting as the contract does.
  package func validated() throws -> TimerSettings {
    let numbers: [(name: String, value: Int64, bounds: ClosedRange<Int64>)] = [
      ("focusSeconds", focusSeconds, Bounds.seconds),
      ("shortBreakSeconds", shortBreakSeconds, Bounds.seconds),
      ("longBreakSeconds", longBreakSeconds, Bounds.seconds),
      ("sessionsBeforeLongBreak", sessionsBeforeLongBreak, Bounds.sessionsBeforeLongBreak),
      ("autoStartMaximum", autoStartMaximum, Bounds.autoStartMaximum),
      ("countUpLimitSeconds", countUpLimitSeconds, Bounds.countUpLimitSeconds),
      ("restSeconds", restSeconds, Bounds.seconds),
    ]
    for number in numbers where !number.bounds.contains(number.value) {
      throw TimeclockError.invalidTimerSettings(
        number.name, "must be from \(number.bounds.lowerBound) to \(number.bounds.upperBound)")
    }
    var settings = self
    settings.restBySubject = try validatedRests()
    return settings
  }

  private func validatedRests() throws -> [String: Int64] {
    func refusal(_ detail: String) -> TimeclockError { .invalidTimerSettings("restBySubject", detail) }
    guard restBySubject.count <= Bounds.subjects else {
      throw refusal("must have at most \(Bounds.subjects) subjects")
    }
    var rests: [String: Int64] = [:]
    for (text, seconds) in restBySubject {
      guard let id = try? TimerText.subjectID(text) else {
        throw refusal("must have ids of 1 to \(TimerLimits.subjectIDCharacters) characters on one line")
      }
      guard Bounds.seconds.contains(seconds) else {
        throw refusal("must have seconds from \(Bounds.seconds.lowerBound) to \(Bounds.seconds.upperBound)")
      }
      guard rests.updateValue(seconds, forKey: id) == nil else { throw refusal("must have each id once") }
    }
    return rests
  }

  /// The length of a timer of a type for which none is stated, in seconds.
  package func seconds(of type: TimerType, subject: TimerSubject?) -> Int64 {
    switch type {
    case .focus: focusSeconds
    case .shortBreak: shortBreakSeconds
    case .longBreak: longBreakSeconds
    case .rest: subject.flatMap { restBySubject[$0.id] } ?? restSeconds
    }
  }
}
