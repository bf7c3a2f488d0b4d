import TimeclockDomain

/// A record with no behavior but that of its shape: the organization's admins make, change and delete it, and all members
/// read it.
package protocol PlainRecord: TabledRecord {
  static var limit: RecordLimit { get }
  /// Whether it can be deleted; else a flag takes it out of use.
  static var isDeletable: Bool { get }
}

extension PlainRecord {
  package static var isDeletable: Bool { shape.listFlag == nil }
}
