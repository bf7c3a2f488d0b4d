import ArgumentParser

/// The form of a line of the log.
enum LogFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
  /// The time, the level, and a sentence or an event with its fields as `name=value`.
  case text
  /// A JSON object.
  case json
}
