import TimeclockDomain

/// Entity tags (RFC 9110, section 8.8.3): a resource's version in quotes.
enum EntityTag {
  static func text(version: Int64) -> String {
    "\"\(version)\""
  }

  /// Whether an `If-None-Match` field names this tag, weak or not (RFC 9110, section 13.1.2). One that is no list of
  /// tags names none.
  static func isNamed(_ tag: String, in value: String) -> Bool {
    if value == "*" { return true }
    let strong = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    var reader = EntityTagReader(value)
    return reader.readAll()?.contains { "\"\($0.text)\"" == strong } ?? false
  }
}

/// The condition of an `If-Match` field (RFC 9110, section 13.1.1).
enum VersionCondition: Equatable {
  /// `*`: any existing version.
  case any
  /// One of these versions. A tag that this service never writes, such as a weak one, matches no version.
  case oneOf(Set<Int64>)

  /// A version that no resource ever has.
  private static let never: Int64 = -1

  /// Reads the field's value; nil if it is not a list of entity tags.
  init?(ifMatch value: String) {
    if value == "*" {
      self = .any
      return
    }
    var reader = EntityTagReader(value)
    guard let tags = reader.readAll(), !tags.isEmpty else { return nil }
    self = .oneOf(Set(tags.compactMap { $0.isWeak ? nil : Self.version(of: $0.text) }))
  }

  /// The condition that this one holds, and the version is `version`.
  func and(_ version: Int64) -> VersionCondition {
    switch self {
    case .any: .oneOf([version])
    case .oneOf(let versions): .oneOf(versions.intersection([version]))
    }
  }

  /// Returns the version to hand to the domain; nil means any.
  ///
  /// - Parameter present: Looks up the present version, which only a list of several tags needs. If the version
  ///   changes before the domain compares it, the client's request is refused.
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

  /// Returns the tags; nil if the list holds anything else.
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
