/// Until when the storage has to answer what the present task asks of it, all calls together.
///
/// Each call of a storage has limits of its own; a request that makes several would wait for their sum.
package enum StorageDeadline {
  /// Nil for as long as each call's own limits let it take.
  @TaskLocal package static var current: ContinuousClock.Instant?

  /// How long one request may wait for the storage.
  package static let ofRequest: Duration = .milliseconds(9_500)
}
