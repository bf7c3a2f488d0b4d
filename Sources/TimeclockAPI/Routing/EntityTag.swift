import TimeclockDomain

/// Entity tags (RFC 9110, section 8.8.3): a resource's version in quotes.
enum EntityTag {
  static func text(version: Int64) -> String {
    "\"\(version)\""
  }
}

/// What an `If-Match` field demands (RFC 9110, section 13.1.1).
enum VersionCondition: Equatable {
  /// `*`: any version that is there.
  case any
  /// One of these. A tag that this service never wrote, a weak one among them, is none of them.
  case oneOf(Set<Int64>)

  /// A version that never is.
  private static let never: Int64 = -1

  /// Reads the field's value; nil where it is not a list of entity tags.
  init?(ifMatch value: String) {
    if value == "*" {
      self = .any
      return
    }
    var reader = EntityTagReader(value)
    guard let tags = reader.readAll(), !tags.isEmpty else { return nil }
    self = .oneOf(Set(tags.compactMap { $0.isWeak ? nil : Self.version(of: $0.text) }))
  }

  /// The version to hand to the domain; nil means any.
  ///
  /// - Parameter present: Looks the present version up, which only a list of several tags needs. Should it
  ///   change until the domain compares, the client is told so.
  func expectedVersion(present: () async throws -> Int64) async throws -> Int64? {
    guard case .oneOf(let versions) = self else { return nil }
    guard versions.count > 1 else { return versions.first ?? Self.never }
    let present = try await present()
    return versions.contains(present) ? present : Self.never
  }

  /// Tags compare character by character, so only the spelling that this service writes is a version.
  private static func version(of tag: String) -> Int64? {
    Int64(tag).flatMap { String($0) == tag ? $0 : nil }
  }
}

/// Reads a list of entity tags (RFC 9110, sections 5.6.1 and 8.8.3).
struct EntityTagReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ value: String) {
    bytes = Array(value.utf8)
  }

  /// The tags; nil where something else stands among them.
  mutating func readAll() -> [(text: String, isWeak: Bool)]? {
    var tags: [(text: String, isWeak: Bool)] = []
    while true {
      skip { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      guard offset < bytes.count else { return tags }
      let isWeak = bytes[offset...].starts(with: "W/".utf8)
      if isWeak { offset += 2 }
      guard let text = readQuoted() else { return nil }
      tags.append((text, isWeak))
      skip { $0 == 0x20 || $0 == 0x09 }
      guard offset == bytes.count || bytes[offset] == UInt8(ascii: ",") else { return nil }
    }
  }

  private mutating func readQuoted() -> String? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return nil }
    offset += 1
    let start = offset
    skip { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return nil }
    defer { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while offset < bytes.count, isSkipped(bytes[offset]) { offset += 1 }
  }
}
