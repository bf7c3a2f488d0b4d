/// A whole file of delimited text in memory; encoding and delimiter are detected.
package enum DelimitedText {
  /// Returns the records of the file: UTF-8, Windows-1252, or UTF-16 with a byte order mark; separated by commas,
  /// semicolons or tabs, as the first line shows. A line that only states the delimiter is left out.
  package static func records(of bytes: [UInt8]) -> [DelimitedRecord] {
    var encoding = EncodingSurvey()
    encoding.read(bytes)
    var decoder = ImportTextDecoder(isWindows1252: encoding.isWindows1252)
    let text = decoder.read(bytes) + decoder.finish()
    var reader = DelimitedTextReader(delimiter: DelimitedTextReader.delimiter(in: text))
    var records: [DelimitedRecord] = []
    reader.read(text, into: &records)
    reader.finish(into: &records)
    if records.first?.statesDelimiter == true { records.removeFirst() }
    return records
  }
}
