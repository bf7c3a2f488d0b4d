/// The bytes of one run.
///
/// The last ones make decisions about the others, so that the others may be plain text, as dictionaries and people
/// write it.
struct FuzzInput {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = Array(bytes)[...]
  }

  /// The bytes that no decision has taken.
  var rest: [UInt8] { Array(bytes) }

  /// The bytes that no decision has taken, as text; bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A number from 0 to below `count`, which is at most 256; 0 if no byte is left.
  mutating func choose(below count: Int) -> Int {
    Int(bytes.popLast() ?? 0) % count
  }

  /// Any number.
  mutating func chooseNumber() -> Int64 {
    var bits: UInt64 = 0
    for _ in 0..<8 { bits = bits << 8 | UInt64(bytes.popLast() ?? 0) }
    return Int64(bitPattern: bits)
  }

  /// The lengths of the pieces in which the rest is to be handed over; the rest after the last one is one more.
  mutating func chooseCuts() -> [Int] {
    switch choose(below: 8) {
    case 0: Array(repeating: 1, count: bytes.count)
    case let count: (0..<count / 2 + 1).map { _ in choose(below: 256) }
    }
  }
}

extension [UInt8] {
  /// The bytes in pieces of these lengths, of which some may be empty.
  func pieces(_ lengths: [Int]) -> [[UInt8]] {
    var rest = self[...]
    var pieces: [[UInt8]] = []
    for length in lengths {
      pieces.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return pieces + [Array(rest)]
  }
}
