/// Chunk extensions (RFC 9112, section 7.1.1) as a machine of states.
enum ChunkExtensionModel {
  private enum State {
    /// Before the first one, and where one may end.
    case end
    /// White space that only a semicolon may follow.
    case beforeSemicolon
    case beforeName, name
    /// White space behind a name: a semicolon or an equals sign follows.
    case behindName
    case beforeValue, token, quoted, escaped
  }

  static func isValid(_ bytes: [UInt8]) -> Bool {
    var state = State.end
    for byte in bytes {
      guard let next = next(state, byte) else { return false }
      state = next
    }
    switch state {
    case .end, .name, .token: return true
    case .beforeSemicolon, .beforeName, .behindName, .beforeValue, .quoted, .escaped: return false
    }
  }

  private static func next(_ state: State, _ byte: UInt8) -> State? {
    let isSpace = byte == 0x20 || byte == 0x09
    switch state {
    case .end, .beforeSemicolon:
      return isSpace ? .beforeSemicolon : byte == UInt8(ascii: ";") ? .beforeName : nil
    case .beforeName: return isSpace ? .beforeName : isToken(byte) ? .name : nil
    case .name, .behindName:
      if state == .name, isToken(byte) { return .name }
      if isSpace { return .behindName }
      return byte == UInt8(ascii: ";") ? .beforeName : byte == UInt8(ascii: "=") ? .beforeValue : nil
    case .beforeValue:
      return isSpace ? .beforeValue : byte == UInt8(ascii: "\"") ? .quoted : isToken(byte) ? .token : nil
    case .token: return isToken(byte) ? .token : next(.end, byte)
    case .quoted:
      if byte == UInt8(ascii: "\"") { return .end }
      if byte == UInt8(ascii: "\\") { return .escaped }
      return isText(byte) ? .quoted : nil
    case .escaped: return isText(byte) ? .quoted : nil
    }
  }

  /// `tchar` (RFC 9110, section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }
}
