import TimeclockDomain

/// A record about one member: admins make, change and delete it, the member and managers read it. It has no behavior but
/// that of its shape and its rule.
package protocol MemberRecord: JudgedRecord {
  /// Whether it can be changed; else it is deleted, and another made.
  static var isChangeable: Bool { get }
}

extension MemberRecord {
  package static var isChangeable: Bool { true }
}
