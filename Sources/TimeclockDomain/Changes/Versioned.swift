/// A resource that counts its changes, so that a writer can say which version the change is meant for.
package protocol Versioned {
  var version: Int64 { get }
  /// The resource as it stands, for a writer who has read another version.
  var current: CurrentResource { get }
}

extension Versioned {
  /// Refuses a change that is meant for another version.
  ///
  /// - Parameter expected: The version that the writer has read; nil means any.
  /// - Throws: `TimeclockError.changed`.
  package func requireVersion(_ expected: Int64?) throws {
    guard expected ?? version == version else { throw TimeclockError.changed(current: current) }
  }
}

/// A resource as it stands, with the version that a refused writer has to read.
package struct CurrentResource: Hashable, Sendable {
  package var snapshot: Snapshot
  package var version: Int64
  /// A session with the names of its assignees, which its snapshot leaves out; nil for other resources.
  package var session: SessionDetails?

  package init(_ snapshot: Snapshot, version: Int64, session: SessionDetails? = nil) {
    self.snapshot = snapshot
    self.version = version
    self.session = session
  }
}
