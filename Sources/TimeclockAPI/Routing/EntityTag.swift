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
  /// This one. A tag this service never wrote, a weak one among them, is a version that never was.
  case exactly(Int64)

  /// Reads the field's value; nil where it is not a list of entity tags.
  ///
  /// Of several tags only the latest version can be the present one, unless the resource did not change
  /// since an earlier was read; then the client is told the present state and tries again.
  init?(ifMatch value: String) {
    if value == "*" {
      self = .any
      return
    }
    var versions: [Int64] = []
    for member in value.split(separator: ",", omittingEmptySubsequences: true) {
      var tag = member.trimmingPrefix { $0 == " " || $0 == "\t" }
      while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
      let isWeak = tag.hasPrefix("W/")
      if isWeak { tag = tag.dropFirst(2) }
      guard tag.count >= 2, tag.first == "\"", tag.last == "\"" else { return nil }
      versions.append(isWeak ? Self.never : Int64(String(tag.dropFirst().dropLast())) ?? Self.never)
    }
    guard let latest = versions.max() else { return nil }
    self = .exactly(latest)
  }

  /// The version to hand to the domain; nil means any.
  var expectedVersion: Int64? {
    switch self {
    case .any: nil
    case .exactly(let version): version
    }
  }

  private static let never: Int64 = -1
}
