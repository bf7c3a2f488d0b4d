@testable import timeclock

extension Setting {
  /// The tables of docs/operating.md: the settings, and those that limit clients.
  static func table(ofLimits isLimit: Bool) -> String {
    "| flag | variable | default | |\n|---|---|---|---|\n"
      + allCases.filter { $0.isLimit == isLimit }.map(\.tableRow).joined()
  }

  private var tableRow: String {
    let (option, value) =
      switch row.kind {
      case .value: ("`--\(flag ?? "")`", "`\(variable)`")
      case .list: ("`--\(flag ?? "")` (repeatable)", "`\(variable)`, comma-separated")
      case .choice where row.standard == "true": ("`--no-\(flag ?? "")`", "`\(variable)=false`")
      case .choice: ("`--\(flag ?? "")`", "`\(variable)=true`")
      case .secret: ("", "`\(variable)`")
      }
    let standard = row.standardWords ?? (row.range == nil ? "`\(standardText)`" : standardText)
    return [option, value, standard, words].map { $0.isEmpty ? "| " : "| \($0) " }.joined() + "|\n"
  }

  /// The whole of deploy/timeclock.env.
  static var environmentFile: String {
    var text = """
      # Settings of the Timeclock service. A flag of `timeclock serve` of the same name would win over a line here.
      # This file may hold a secret: let only root and the service read it (mode 0640).

      """
    for setting in allCases {
      let isFirstLimit = setting == allCases.first(where: \.isLimit)
      text += "\n"
      if isFirstLimit {
        text += comment(
          "The limits of clients, and how long the server waits for them; docs/operating.md says what happens beyond."
        )
        text += "\n"
      }
      text += setting.environmentLines
    }
    return text
  }

  private var environmentLines: String {
    let row = row
    let examples = row.examples.isEmpty ? [(words: nil, value: row.standard ?? "")] : row.examples
    var lines = Self.comment([plainWords, row.note].compactMap { $0 }.joined(separator: " "))
    for (position, example) in examples.enumerated() {
      if let words = example.words { lines += Self.comment(words) }
      lines += "\(row.isSet && position == 0 ? "" : "#")\(variable)=\(example.value)\n"
    }
    return lines
  }

  private var standardText: String { row.standardWords ?? row.standard ?? "" }

  /// Lines of a comment that are no longer than 120 characters.
  private static func comment(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= 120 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("# \(word)")
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }
}
