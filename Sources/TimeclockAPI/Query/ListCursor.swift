import FoundationEssentials
import TimeclockDomain

/// A place in a list as clients hold it: opaque text, base64url of the list's fingerprint and the numbers of the place
/// from which the list continues.
protocol ListCursor {
  init?(numbers: [Int64])
  var numbers: [Int64] { get }
}

extension ListCursor {
  /// Reads the text of a cursor; nil for any text that this service did not write for this list.
  init?(text: String, in list: ListIdentity) {
    guard text.utf8.count <= 128 else { return nil }
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding) else { return nil }
    var numbers: [Int64] = []
    for part in data.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard let number = Int64(String(decoding: part, as: UTF8.self)) else { return nil }
      numbers.append(number)
    }
    guard numbers.first == list.fingerprint else { return nil }
    self.init(numbers: Array(numbers.dropFirst()))
    guard self.text(in: list) == text else { return nil }
  }

  /// Returns the cursor as text, for the list that it is a place in.
  func text(in list: ListIdentity) -> String {
    let plain = ([list.fingerprint] + numbers).map { String($0) }.joined(separator: ".")
    let base64 = Data(plain.utf8).base64EncodedString()
    return base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

extension TimeEntryCursor: ListCursor {
  init?(numbers: [Int64]) {
    guard numbers.count == 3, let days = Int32(exactly: numbers[0]) else { return nil }
    self.init(
      date: LocalDate(daysSince1970: days), createdAt: Instant(millisecondsSince1970: numbers[1]),
      row: numbers[2])
  }

  var numbers: [Int64] { [Int64(date.daysSince1970), createdAt.millisecondsSince1970, row] }
}

extension SessionCursor: ListCursor {
  init?(numbers: [Int64]) {
    guard numbers.count == 2, let days = Int32(exactly: numbers[0]) else { return nil }
    self.init(date: LocalDate(daysSince1970: days), row: numbers[1])
  }

  var numbers: [Int64] { [Int64(date.daysSince1970), row] }
}

extension PresenceCursor: ListCursor {
  init?(numbers: [Int64]) {
    guard numbers.count == 3 else { return nil }
    self.init(
      clockInTime: Instant(millisecondsSince1970: numbers[0]),
      timeEntryID: TimeEntryID(
        high: UInt64(bitPattern: numbers[1]), low: UInt64(bitPattern: numbers[2])))
  }

  var numbers: [Int64] {
    [
      clockInTime.millisecondsSince1970, Int64(bitPattern: timeEntryID.high),
      Int64(bitPattern: timeEntryID.low),
    ]
  }
}

extension SegmentCursor: ListCursor {
  init?(numbers: [Int64]) {
    guard numbers.count == 2 else { return nil }
    self.init(startTime: Instant(millisecondsSince1970: numbers[0]), row: numbers[1])
  }

  var numbers: [Int64] { [startTime.millisecondsSince1970, row] }
}

extension RowCursor: ListCursor {
  init?(numbers: [Int64]) {
    guard numbers.count == 1 else { return nil }
    self.init(row: numbers[0])
  }

  var numbers: [Int64] { [row] }
}
