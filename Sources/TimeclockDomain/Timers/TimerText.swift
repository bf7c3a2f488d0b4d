/// The rules for the words of timers.
package enum TimerText {
  /// A label or a name without white space around it; nil if nothing is left.
  ///
  /// - Throws: `TimeclockError.invalidName` for more than 200 code points, or control characters.
  package static func name(_ text: String?) throws -> String? {
    guard let text, !Text.trimmed(text).isEmpty else { return nil }
    return try Name.validated(text)
  }

  /// A subject without white space around its parts.
  ///
  /// - Throws: `TimeclockError.invalidName` for its name, `.invalidSubjectID`.
  package static func subject(_ subject: TimerSubject) throws -> TimerSubject {
    TimerSubject(id: try subjectID(subject.id), name: try Name.validated(subject.name))
  }

  /// A subject's id without white space around it.
  ///
  /// - Throws: `TimeclockError.invalidSubjectID`.
  package static func subjectID(_ text: String) throws -> String {
    let id = Text.trimmed(text)
    guard !id.isEmpty, Text.isLine(id, maximumCharacters: TimerLimits.subjectIDCharacters) else {
      throw TimeclockError.invalidSubjectID
    }
    return id
  }
}
