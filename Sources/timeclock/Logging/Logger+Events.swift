import Logging

extension Logger {
  /// Logs an event with facts about it, which stand behind it in this order in a line of text.
  ///
  /// - Parameter format: The form of the log's lines: in JSON each fact is a member, in text `name=value`.
  func event(
    _ level: Level, _ name: String, _ format: LogFormat, _ facts: KeyValuePairs<String, MetadataValue>
  ) {
    switch format {
    case .text:
      log(level: level, "\(name)\(facts.map { " \($0.key)=\($0.value)" }.joined())")
    case .json:
      log(level: level, "\(name)", metadata: Metadata(uniqueKeysWithValues: facts.map { ($0.key, $0.value) }))
    }
  }
}
