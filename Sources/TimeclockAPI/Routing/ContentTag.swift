/// The weak entity tag of an answer by its content (RFC 9110, section 8.8.1): two answers have one tag if everything in
/// them is the same but running seconds.
///
/// It is a hash of 128 bits by multiplication, as wyhash folds (github.com/wangyi-fudan/wyhash), some instructions for 16
/// bytes, because every answer has its tag and few are asked for again. It is the same in every process and release, so that
/// a client may go from one instance to another. It guards against mistakes and is no secret: an author who finds two
/// contents of one tag keeps an old answer in the clients of those who may read both.
struct ContentTag {
  private var first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var second: UInt64 = 0xD1B5_4A32_D192_ED03
  private var count: UInt64 = 0

  /// Adds a piece of the content. The boundaries of pieces count.
  mutating func add(_ piece: UnsafeRawBufferPointer) {
    var rest = piece.count
    var last: (UInt64, UInt64) = (0, 0)
    if var place = piece.baseAddress {
      while rest >= 16 {
        mix(Self.word(at: place), Self.word(at: place + 8))
        place += 16
        rest -= 16
      }
      withUnsafeMutableBytes(of: &last) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: place, count: rest))
      }
    }
    mix(UInt64(littleEndian: last.0), UInt64(littleEndian: last.1))
    count &+= UInt64(piece.count)
    mix(count, UInt64(piece.count))
  }

  /// The tag of all that was added.
  var text: String {
    var last = self
    last.mix(count, 0)
    return String(unsafeUninitializedCapacity: 36) { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      start[0] = UInt8(ascii: "W")
      start[1] = UInt8(ascii: "/")
      start[2] = UInt8(ascii: "\"")
      Self.write(last.first, at: start + 3)
      Self.write(last.second, at: start + 19)
      start[35] = UInt8(ascii: "\"")
      return 36
    }
  }

  /// Writes 16 digits.
  private static func write(_ word: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    let digits: StaticString = "0123456789abcdef"
    var rest = word
    var digit = 16
    while digit > 0 {
      digit -= 1
      place[digit] = digits.utf8Start[Int(truncatingIfNeeded: rest & 15)]
      rest >>= 4
    }
  }

  private mutating func mix(_ one: UInt64, _ other: UInt64) {
    first = Self.folded(one ^ 0xA076_1D64_78BD_642F, other ^ first) &+ first
    second = Self.folded(other ^ 0xE703_7ED1_A0B4_28DB, one ^ second) &+ second
  }

  private static func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }

  private static func word(at place: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
  }
}

extension JSONWriter {
  /// The tag of everything written but running seconds.
  var entityTag: String {
    var tag = ContentTag()
    bytes.withUnsafeBytes { content in
      var start = 0
      for range in runningPlaces {
        tag.add(UnsafeRawBufferPointer(rebasing: content[start..<range.lowerBound]))
        start = range.upperBound
      }
      tag.add(UnsafeRawBufferPointer(rebasing: content[start...]))
    }
    return tag.text
  }
}
