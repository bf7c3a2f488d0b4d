/// The system refused a resource that an event loop needs.
package struct EventLoopError: Error, Sendable {
  /// The system call that failed.
  package let call: String
  /// Its errno.
  package let code: Int32
}
