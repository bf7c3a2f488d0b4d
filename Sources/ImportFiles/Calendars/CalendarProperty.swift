import TimeclockDomain

/// A property of an iCalendar file: a name, parameters, and a value (RFC 5545, section 3.1).
struct CalendarProperty {
  /// The line in which it begins.
  let line: Int
  /// In small letters.
  let name: String
  /// The parameters, each behind a semicolon, and the value behind a colon.
  private let content: ArraySlice<UInt8>

  /// Reads the name alone: only the properties that count need a value.
  init(_ line: CalendarLine) {
    self.line = line.number
    let end =
      line.bytes.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") } ?? line.bytes.endIndex
    name = String(decoding: line.bytes[..<end], as: UTF8.self).lowercasedASCII
    content = line.bytes[end...]
  }

  /// The value as written, without white space at its ends.
  ///
  /// No parameter changes how it is read: a language or a zone is no part of a date, and whether it is a date or a time
  /// shows in its form.
  var value: String {
    get throws(CalendarFileError) {
      var isQuoted = false
      let colon = content.firstIndex { byte in
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        return byte == UInt8(ascii: ":") && !isQuoted
      }
      guard let colon else { throw fault("has no colon before a value") }
      guard let text = String(validating: content[(colon + 1)...], as: UTF8.self) else {
        throw fault("has bytes that are not UTF-8")
      }
      return Text.trimmed(text)
    }
  }

  /// The value without the escapes of a text (section 3.3.11).
  var text: String {
    get throws(CalendarFileError) {
      var text = ""
      var isEscaped = false
      for scalar in try value.unicodeScalars {
        if isEscaped {
          isEscaped = false
          switch scalar {
          case "n", "N": text.unicodeScalars.append("\n")
          case "\\", ";", ",": text.unicodeScalars.append(scalar)
          default: text.unicodeScalars += ["\\", scalar]
          }
        } else if scalar == "\\" {
          isEscaped = true
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      return isEscaped ? text + "\\" : text
    }
  }

  /// The value as dates or times, of which there may be several with commas between them.
  var times: [CalendarTime] {
    get throws(CalendarFileError) {
      var times: [CalendarTime] = []
      for text in try value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let time = CalendarTime(Text.trimmed(String(text))) else {
          throw fault(
            "says \"\(Text.quotable(String(text)))\", which is no date such as 20261225, and no time such as "
              + "20261225T090000Z, of the years from 1900")
        }
        times.append(time)
      }
      return times
    }
  }

  /// The value as one date or time.
  var time: CalendarTime {
    get throws(CalendarFileError) {
      let times = try times
      guard let time = times.first, times.count == 1 else { throw fault("has more than one date") }
      return time
    }
  }

  /// The error that names the property and its line.
  func fault(_ predicate: String) -> CalendarFileError {
    CalendarFileError(line: line, "\(name.uppercasedASCII) \(predicate).")
  }
}

extension String {
  /// The text with the small letters of ASCII as capitals.
  fileprivate var uppercasedASCII: String {
    String(decoding: utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
  }
}
