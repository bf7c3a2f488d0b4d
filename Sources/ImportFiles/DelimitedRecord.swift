import TimeclockDomain

/// A record of delimited text.
package struct DelimitedRecord: Hashable, Sendable {
  /// The line in which the record begins, counted from 1; a quoted field may span several lines.
  package var line: Int
  package var fields: Result<[String], DelimitedTextFault>

  /// Whether it is a first line that states the delimiter for Excel, `sep=` and nothing more but that: the names of the
  /// columns follow it.
  var statesDelimiter: Bool {
    guard case .success(let fields) = fields, fields.count == 2 else { return false }
    return Text.trimmed(fields[0]).lowercasedASCII == "sep=" && Text.trimmed(fields[1]).isEmpty
  }
}

/// The reason why a record cannot be read.
package enum DelimitedTextFault: Error, Hashable, Sendable {
  /// A quote in a field that does not begin with one.
  case strayQuote
  /// Text after the quote that ends a field.
  case textAfterQuote
  /// A quoted field that reaches to the end of the text.
  case unterminatedQuote
  /// A carriage return without a line feed.
  case strayCarriageReturn
  case notUTF8
  /// A record beyond the limit.
  case tooLong

  /// One English sentence for the person who made the file.
  package var detail: String {
    switch self {
    case .strayQuote: "A quote stands in the middle of a field. A field with quotes has to be quoted itself."
    case .textAfterQuote: "Text stands behind the quote that ends a field."
    case .unterminatedQuote: "A quote is opened here and never closed: the rest of the file was not read."
    case .strayCarriageReturn: "A carriage return stands without a line feed."
    case .notUTF8: "The row has bytes that are no text in the file's encoding."
    case .tooLong: "The row is too long."
    }
  }
}
