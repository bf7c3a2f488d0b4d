/// The weak entity tag of an answer by its content (RFC 9110, section 8.8.1): two answers have one tag where everything in
/// them is the same but what runs with the time.
///
/// It is a hash of 128 bits by multiplication, as wyhash folds (github.com/wangyi-fudan/wyhash), some instructions for 16
/// bytes, because every answer has its tag and few are asked for again. It is the same in every process and release, so that
/// a client may go from one instance to another. It guards against mistakes and is no secret: an author who finds two
/// contents of one tag keeps an old answer in the clients of those who may read both.
struct ContentTag {
  private var first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var second: UInt64 = 0xD1B5_4A32_D192_ED03
  private var count: UInt64 = 0

  /// Adds a piece of the content. Where it ends counts.
  mutating func add(_ piece: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 16 <= piece.count {
      mix(Self.word(piece, at: offset), Self.word(piece, at: offset + 8))
      offset += 16
    }
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { rest in
      rest.initializeMemory(as: UInt8.self, repeating: 0)
      rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[offset...]))
      mix(Self.word(UnsafeRawBufferPointer(rest), at: 0), Self.word(UnsafeRawBufferPointer(rest), at: 8))
    }
    count &+= UInt64(piece.count)
    mix(count, UInt64(piece.count))
  }

  /// The tag of all that was added.
  var text: String {
    var last = self
    last.mix(count, 0)
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 36) { bytes in
      func put(_ byte: UInt8, _ place: Int) { bytes.initializeElement(at: place, to: byte) }
      for (place, byte) in "W/\"".utf8.enumerated() { put(byte, place) }
      for place in 0..<32 {
        let word = place < 16 ? last.first : last.second
        put(digits.utf8Start[Int(word >> UInt64(60 - place % 16 * 4) & 15)], place + 3)
      }
      put(UInt8(ascii: "\""), 35)
      return 36
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

  private static func word(_ piece: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: piece.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension JSONWriter {
  /// The tag of all that has been written but what runs with the time.
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
