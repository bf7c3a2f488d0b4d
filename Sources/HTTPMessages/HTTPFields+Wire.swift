extension HTTPFields {
  /// Appends `name: value` and CR LF; false, with `output` left in any state, if they are not valid.
  func appendLine(_ entry: Entry, to output: inout [UInt8]) -> Bool {
    let start = output.count
    output.append(contentsOf: bytes[Int(entry.nameStart)..<Int(entry.nameEnd)])
    let nameEnd = output.count
    output.append(": ")
    output.append(contentsOf: bytes[Int(entry.valueStart)..<Int(entry.valueEnd)])
    guard nameEnd > start else { return false }
    for position in start..<nameEnd where !ByteSet.token.contains(output[position]) { return false }
    for position in nameEnd..<output.count where !FieldLine.isFieldValue(output[position]) { return false }
    output.append("\r\n")
    return true
  }
}
