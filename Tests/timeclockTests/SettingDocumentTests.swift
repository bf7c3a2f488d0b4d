import ArgumentParser
import Foundation
import HTTPMessages
import Logging
import Testing

@testable import timeclock

@Suite("The table of settings")
struct SettingDocumentTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// The text, or the text between the marks of its table if there is one, in a file of the package.
  ///
  /// `TIMECLOCK_WRITE_DOCUMENTS=1` has the file written.
  private func expect(_ path: String, _ table: String? = nil, says text: String) throws {
    let file = Self.package.appending(path: path)
    var kept = try String(contentsOf: file, encoding: .utf8)
    let range = try table.map { table in
      let begin = try #require(kept.range(of: "<!-- settings: \(table) -->\n"))
      let end = try #require(kept.range(of: "<!-- end of settings: \(table) -->"))
      return begin.upperBound..<end.lowerBound
    }
    if ProcessInfo.processInfo.environment["TIMECLOCK_WRITE_DOCUMENTS"] != nil {
      kept.replaceSubrange(range ?? kept.startIndex..<kept.endIndex, with: text)
      try kept.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(
        String(kept[range ?? kept.startIndex..<kept.endIndex]) == text,
        "\(path) is out of date: TIMECLOCK_WRITE_DOCUMENTS=1 swift test --filter SettingDocumentTests")
    }
  }

  @Test("is that of docs/operating.md")
  func manual() throws {
    try expect("docs/operating.md", "server", says: Setting.table(ofLimits: false))
    try expect("docs/operating.md", "limits", says: Setting.table(ofLimits: true))
  }

  @Test("is deploy/timeclock.env")
  func environment() throws {
    try expect("deploy/timeclock.env", says: Setting.environmentFile)
  }

  @Test("has an option of serve in each row, and a row for each option")
  func options() {
    let help = Serve.helpMessage(columns: 10_000)
    let options = help.matches(of: #/\n  --([a-z-]+)/#).map { String($0.output.1) }
    #expect(Set(options) == Set(Setting.allCases.compactMap(\.flag)))
    for setting in Setting.allCases {
      #expect(setting.flag == nil || help.contains(setting.help), "\(setting)")
    }
  }

  @Test("has a default of the type that the option has")
  func defaults() throws {
    for setting in Setting.allCases {
      let row = setting.row
      switch setting {
      case .port: #expect(row.standard.flatMap(UInt16.init(argument:)) != nil)
      case .forwardedField:
        #expect(row.standard.flatMap(TrustedProxies.Field.init(argument:)) != nil)
      case .logFormat: #expect(row.standard.flatMap(LogFormat.init(argument:)) != nil)
      case .logLevel: #expect(row.standard.flatMap(Logger.Level.init(argument:)) != nil)
      default: break
      }
      if let range = row.range, let standard = row.standard {
        #expect(Int(standard).map(range.contains) == true, "\(setting)")
      }
      if row.kind == .choice { #expect(row.standard.flatMap(Bool.init) != nil, "\(setting)") }
      #expect((row.standard == nil) != (row.standardWords == nil), "\(setting)")
    }
  }
}
