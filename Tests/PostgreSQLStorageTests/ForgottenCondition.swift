/// A statement without one of its conditions on the organization.
struct ForgottenCondition: Sendable {
  let statement: String
  let forgetful: String
  /// The calls that send the statement, by their places among the recorded ones.
  let senders: Set<Int>
  /// Those of them that are made again, in their order.
  let calls: [Int]

  private static var pattern: Regex<(Substring, Substring)> {
    /(?:\w+\.)?organization_id = (\$\d+)(?:::bigint)?/
  }

  /// Every condition `organization_id = $n` of every statement that the calls send.
  ///
  /// - Parameter most: The number of calls of each statement to make again. Many statements are sent by hundreds.
  static func all(of recorded: [RecordedCall], most: Int = .max) -> [ForgottenCondition] {
    var calls: [String: Set<Int>] = [:]
    for (number, call) in recorded.enumerated() {
      for statement in call.statements { calls[statement, default: []].insert(number) }
    }
    return calls.keys.sorted().flatMap { all(of: $0, sentBy: calls[$0] ?? [], most: most) }
  }

  /// Every condition of a statement. The parameter stays, and with it its type.
  static func all(of statement: String, sentBy senders: Set<Int>, most: Int = .max) -> [ForgottenCondition] {
    // From the first to the last, with the same number of others between them.
    let step = max(1, (senders.count - 1) / most + 1)
    let calls = senders.sorted().enumerated().filter { $0.offset % step == 0 }.map(\.element)
    return statement.matches(of: pattern).map { match in
      var forgetful = statement
      forgetful.replaceSubrange(match.range, with: "\(match.1)::bigint IS NOT NULL")
      return ForgottenCondition(statement: statement, forgetful: forgetful, senders: senders, calls: calls)
    }
  }

  /// The conditions in groups of which no call meets two, so that those of a group can be forgotten at the same time.
  /// Groups are small enough to be divided among threads.
  static func groups(of conditions: [ForgottenCondition]) -> [[ForgottenCondition]] {
    var groups: [(conditions: [ForgottenCondition], senders: Set<Int>, callCount: Int)] = []
    for condition in conditions {
      let index =
        groups.firstIndex { $0.callCount < 30 && $0.senders.isDisjoint(with: condition.senders) }
        ?? groups.count
      if index == groups.count { groups.append(([], [], 0)) }
      groups[index].conditions.append(condition)
      groups[index].senders.formUnion(condition.senders)
      groups[index].callCount += condition.calls.count
    }
    return groups.map(\.conditions)
  }

  /// The conditions in the literals of a Swift source that none of the statements has: each with the literal around it,
  /// as far as that is in one line and without interpolation. A parameter of a `NamedStatement` has a name there.
  ///
  /// - Parameter sent: The statements, `unnumbered`.
  static func unsent(in source: String, among sent: [String]) -> [String] {
    source.split(separator: "\n").flatMap { line -> [String] in
      let code = line.trimmingPrefix(while: \.isWhitespace)
      guard !code.hasPrefix("//"), code.contains("organization_id = $") else { return [] }
      // The text between interpolations, quotes and the mark of a continued line.
      return code.split(separator: /\\\((?:[^()]|\([^()]*\))*\)|"|\\$/).compactMap { literal in
        let text = literal.trimmingPrefix(while: \.isWhitespace)
        guard text.contains(/organization_id = \$\w/) else { return nil }
        let bare = unnumbered(text)
        return sent.contains { $0.contains(bare) } ? nil : String(text)
      }
    }
  }

  /// A text whose parameters are all alike.
  static func unnumbered(_ text: some StringProtocol) -> String {
    String(text).replacing(/\$\w+/, with: "$")
  }
}
