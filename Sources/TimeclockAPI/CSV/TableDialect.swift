/// The form of a table: the separators of cells and numbers, the first character, and how text is kept from being read
/// as a number.
///
/// Every table of the service is written in one (`CSVWriter`). docs/decisions/0012-export.md says why they are as they are.
struct TableDialect: Hashable, Sendable {
  /// The character between two cells.
  enum Separator: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    var byte: UInt8 {
      switch self {
      case .comma: UInt8(ascii: ",")
      case .semicolon: UInt8(ascii: ";")
      case .tab: UInt8(ascii: "\t")
      }
    }
  }

  /// The sign between the whole hours of a duration and their hundredths.
  enum DecimalSign: String, CaseIterable, Sendable {
    case point, comma

    var byte: UInt8 {
      switch self {
      case .point: UInt8(ascii: ".")
      case .comma: UInt8(ascii: ",")
      }
    }
  }

  /// A dialect with a name.
  enum Name: String, CaseIterable, Sendable {
    case rfc4180, excel
  }

  var separator: Separator
  var decimalSign: DecimalSign
  /// Whether the table begins with U+FEFF, by which Excel distinguishes UTF-8 from the machine's own encoding.
  var hasByteOrderMark: Bool
  /// Whether text that a spreadsheet would read as a number (`SpreadsheetNumber`) is written so that it stays text:
  /// `="0001"`.
  var keepsText: Bool

  /// Comma-separated values as RFC 4180 has them.
  static let rfc4180 = TableDialect(.rfc4180)

  init(_ name: Name) {
    switch name {
    case .rfc4180: (separator, decimalSign, hasByteOrderMark, keepsText) = (.comma, .point, false, false)
    case .excel: (separator, decimalSign, hasByteOrderMark, keepsText) = (.semicolon, .comma, true, true)
    }
  }
}

extension QueryReader {
  /// Reads the parameters of a table's form: a dialect by its name, and deviations from it.
  func tableDialect() -> TableDialect {
    var dialect = TableDialect(choice("dialect") ?? .rfc4180)
    dialect.separator = choice("separator") ?? dialect.separator
    dialect.decimalSign = choice("decimal") ?? dialect.decimalSign
    dialect.hasByteOrderMark = bool("bom") ?? dialect.hasByteOrderMark
    return dialect
  }
}
