import CZlib

/// Compression for answers (RFC 1952).
package enum Gzip {
  /// Returns the bytes in gzip's form, as small as zlib makes them; nil if that is not smaller, or memory is wanting.
  ///
  /// The same bytes and the same zlib give the same result: its head names no file and no time.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 16 more than the window's 15 bits ask for gzip's head and its check sum; 8 is zlib's usual memory, as more gains
    // nothing for files of this size (zlib.h, deflateInit2).
    let code = deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY,
      zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let length = UInt32(exactly: bytes.count) else { return nil }
    var input = bytes
    // Output that does not fit here is not smaller.
    let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = length
        stream.next_out = output.baseAddress
        stream.avail_out = length
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(length - stream.avail_out) : 0
      }
    }
    return output.isEmpty || output.count >= bytes.count ? nil : output
  }
}
