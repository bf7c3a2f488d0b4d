/// Scripts and styles as they are sent: without the lines that only their readers need.
enum ScriptText {
  /// Returns the text without indentation, empty lines, and comments that have their lines to themselves.
  ///
  /// It knows no strings: no file may have a text over several lines, which a test holds.
  static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isComment = false
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if isComment || text.starts(with: "/*".utf8) {
        isComment = !text.ends(with: "*/")
      } else if !text.isEmpty, !text.starts(with: "//".utf8) {
        result += text
        result.append(UInt8(ascii: "\n"))
      }
    }
    return result
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
