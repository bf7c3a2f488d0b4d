/// Writes and reads the labels of internationalized domain names in ASCII (RFC 3492), without the prefix `xn--`.
///
/// No package of the project has it, and it is needed for one thing: an address whose domain is written in either form is
/// the same address. The time is quadratic in the length of a label, of which a domain name has 63 bytes at most.
enum Punycode {
  private static let base = 36
  private static let leastThreshold = 1
  private static let mostThreshold = 26
  private static let skew = 38
  private static let damp = 700
  private static let firstBias = 72
  private static let firstNumber = 128

  /// The label in ASCII; nil for one that is too long to be written so.
  static func encoded(_ label: String) -> String? {
    let input = label.unicodeScalars.map { Int($0.value) }
    var output = input.filter { $0 < firstNumber }.map { UInt8($0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var (number, delta, bias) = (firstNumber, 0, firstBias)
    var handled = basicCount
    while handled < input.count {
      guard let next = input.lazy.filter({ $0 >= number }).min() else { return nil }
      let (step, isOver) = (next - number).multipliedReportingOverflow(by: handled + 1)
      guard !isOver, delta <= Int(Int32.max) - step else { return nil }
      delta += step
      number = next
      for value in input {
        if value < number { delta += 1 }
        guard value == number else { continue }
        append(delta, bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      number += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The label that is written so in ASCII; nil for text that is no label's.
  static func decoded(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let end = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
    var output = bytes[..<end].map { Int($0) }
    var rest = bytes[(end > 0 ? end + 1 : 0)...]
    var (number, place, bias) = (firstNumber, 0, firstBias)
    while !rest.isEmpty {
      let before = place
      guard let delta = takeNumber(bias, from: &rest) else { return nil }
      place += delta
      let count = output.count + 1
      bias = adapted(place - before, count: count, isFirst: before == 0)
      number += place / count
      place %= count
      guard number <= 0x10FFFF, place <= output.count else { return nil }
      output.insert(number, at: place)
      place += 1
    }
    var scalars = String.UnicodeScalarView()
    for value in output {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// Appends a number of variable length.
  private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
    var (rest, position) = (delta, base)
    while true {
      let threshold = threshold(at: position, bias)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(digit(rest))
  }

  /// Takes a number of variable length away; nil if there is none, or one that is larger than any label needs.
  private static func takeNumber(_ bias: Int, from rest: inout ArraySlice<UInt8>) -> Int? {
    var (number, weight, position) = (0, 1, base)
    while let byte = rest.popFirst(), let digit = value(of: byte) {
      number += digit * weight
      guard number <= Int(Int32.max) else { return nil }
      let threshold = threshold(at: position, bias)
      if digit < threshold { return number }
      weight *= base - threshold
      guard weight <= Int(Int32.max) else { return nil }
      position += base
    }
    return nil
  }

  private static func threshold(at position: Int, _ bias: Int) -> Int {
    min(max(position - bias, leastThreshold), mostThreshold)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var steps = 0
    while delta > (base - leastThreshold) * mostThreshold / 2 {
      delta /= base - leastThreshold
      steps += base
    }
    return steps + (base - leastThreshold + 1) * delta / (delta + skew)
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 0x61
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 0x41
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30 + 26
    default: nil
    }
  }
}
