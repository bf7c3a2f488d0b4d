import Cryptography
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
    let size =
      (content.before?.utf8.count ?? 0) + (content.after?.utf8.count ?? 0) + (content.reason?.utf8.count ?? 0)
    var hash = HashedParts(title: "timeclock change content 1", capacity: size + 128)
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
    var hash = HashedParts(title: "timeclock change 1", capacity: 512)
    hash.add(previous)
    hash.add(String(change.sequence))
    hash.add(String(change.context.time.millisecondsSince1970))
    hash.add(change.context.author.means.rawValue)
    hash.add(change.context.author.userID)
    hash.add(change.context.author.apiTokenID)
    hash.add(change.context.author.requestID)
    hash.add(change.context.operation)
    hash.add(change.kind.rawValue)
    hash.add(change.resource.rawValue)
    hash.add(change.resourceID)
    hash.add(change.contentDigest)
    return hash.finish()
  }

  /// Formats the end of a chain: its sequence number, and its hash in hexadecimal digits.
  package static func head(sequence: Int64, hash: [UInt8]) -> String {
    "\(sequence):\(Hexadecimal.text(of: hash))"
  }

  /// Makes random bytes that keep content from being guessed by its digest.
  package static func makeSalt() -> [UInt8] { RandomBytes.make(16) }
}

/// SHA-256 over parts that cannot run into each other. They are put one behind the other first: some twenty short ones, each
/// with its length, take longer to hand over than to hash.
private struct HashedParts {
  private var bytes: [UInt8] = []

  init(title: String, capacity: Int) {
    bytes.reserveCapacity(capacity)
    add(title)
  }

  mutating func add(_ part: String?) {
    guard var part else { return addLength(.max) }
    part.withUTF8 { text in
      addLength(UInt64(text.count))
      bytes.append(contentsOf: text)
    }
  }

  mutating func add(_ part: [UInt8]?) {
    guard let part else { return addLength(.max) }
    addLength(UInt64(part.count))
    bytes.append(contentsOf: part)
  }

  /// Adds an id as its text.
  mutating func add<Subject>(_ part: Identifier<Subject>?) {
    guard let part else { return addLength(.max) }
    addLength(36)
    part.append(to: &bytes)
  }

  private mutating func addLength(_ length: UInt64) {
    withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
  }

  func finish() -> [UInt8] { SHA256.hash(bytes) }
}
