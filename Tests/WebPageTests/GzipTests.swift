import CZlib
import Testing

@testable import WebPage

@Suite("Gzip")
struct GzipTests {
  private static let text = Array(String(repeating: "Clocked in at 9:00 AM. ", count: 500).utf8)

  /// Undoes gzip, with zlib's own judgment of the check sum; nil for any other data.
  private func decompressed(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, MAX_WBITS + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else {
      return nil
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(limit)
        isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
        count = limit - Int(stream.avail_out)
      }
    }
    return isWhole ? output : nil
  }

  @Test("gives bytes that are smaller, and come back")
  func comesBack() throws {
    let compressed = try #require(Gzip.compressed(Self.text))
    #expect(compressed.count < Self.text.count / 10)
    #expect(compressed.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), "no file's name, no time")
    #expect(decompressed(compressed, atMost: Self.text.count) == Self.text)
    #expect(Gzip.compressed(Self.text) == compressed)
  }

  @Test("gives nothing if it would not be smaller", arguments: ["", "a", "{}", "0123456789abcdefghijkl"])
  func notSmaller(_ text: String) {
    #expect(Gzip.compressed(Array(text.utf8)) == nil)
  }

  @Test("A file's two forms have tags of their own, and each is of its bytes")
  func forms() throws {
    let file = WebFile(WebSource("a.js") { Self.text })
    let gzip = try #require(file.gzip)
    #expect(file.plain.bytes == Self.text && decompressed(gzip.bytes, atMost: Self.text.count) == Self.text)
    #expect(file.plain.tag != gzip.tag)
    for tag in [file.plain.tag, gzip.tag] { #expect(tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil) }
    let other = WebFile(WebSource("b.css") { Self.text + [0] })
    #expect(other.plain.tag != file.plain.tag && other.gzip?.tag != gzip.tag)
    #expect(WebFile(WebSource("c.js") { Self.text }).plain.tag == file.plain.tag)
    #expect(WebFile(WebSource("short.js") { [0x61] }).gzip == nil)
  }
}
