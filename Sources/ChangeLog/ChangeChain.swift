import Crypto
import TimeclockDomain

/// The hashes of changes. They reveal a change that was altered, removed or inserted later.
///
/// A hash is SHA-256 (FIPS 180-4) over the parts in turn, each preceded by its length in eight bytes, big-endian; a
/// missing part is the length 2⁶⁴−1 alone. The first change of an organization follows on 32 bytes of zero.
/// docs/decisions/0008-changes.md has the order of the parts.
package enum ChangeChain {
  /// The hash that the first change follows on.
  package static let beginning = [UInt8](repeating: 0, count: 32)

  /// Returns the digest of a change's content, which represents the content in the chain.
  package static func digest(of content: ChangeContent) -> [UInt8] {
    var hash = PartsHash(title: "timeclock change content 1")
    hash.add(content.salt)
    hash.add(content.before)
    hash.add(content.after)
    hash.add(content.reason)
    return hash.finish()
  }

  /// Returns the hash of a change.
  ///
  /// - Parameters:
  ///   - change: The change; its own `hash` is ignored.
  ///   - previous: The hash of the organization's previous change.
  package static func hash(of change: StoredChange, after previous: [UInt8]) -> [UInt8] {
    var hash = PartsHash(title: "timeclock change 1")
    hash.add(previous)
    hash.add(String(change.sequence))
    hash.add(String(change.context.time.millisecondsSince1970))
    hash.add(change.context.author.means.rawValue)
    hash.add(change.context.author.userID?.text)
    hash.add(change.context.author.apiTokenID?.text)
    hash.add(change.context.author.requestID?.text)
    hash.add(change.context.operation)
    hash.add(change.kind.rawValue)
    hash.add(change.resource.rawValue)
    hash.add(change.resourceID.text)
    hash.add(change.contentDigest)
    return hash.finish()
  }

  /// Formats the end of a chain: its sequence number, and its hash in hexadecimal digits.
  package static func head(sequence: Int64, hash: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return "\(sequence):"
      + String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Makes random bytes that keep content from being guessed by its digest.
  package static func makeSalt() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return withUnsafeBytes(of: (random.next() as UInt64, random.next() as UInt64)) { Array($0) }
  }
}

/// SHA-256 over parts that cannot run into each other.
private struct PartsHash {
  private var hash = SHA256()

  init(title: String) {
    add(title)
  }

  mutating func add(_ part: String?) {
    guard var part else { return addLength(.max) }
    part.withUTF8 { bytes in
      addLength(UInt64(bytes.count))
      hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
    }
  }

  mutating func add(_ part: [UInt8]?) {
    guard let part else { return addLength(.max) }
    addLength(UInt64(part.count))
    part.withUnsafeBytes { hash.update(bufferPointer: $0) }
  }

  private mutating func addLength(_ length: UInt64) {
    withUnsafeBytes(of: length.bigEndian) { hash.update(bufferPointer: $0) }
  }

  func finish() -> [UInt8] {
    Array(hash.finalize())
  }
}
