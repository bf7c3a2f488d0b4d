/// The most records of a kind that an organization has, those out of use included.
package struct RecordLimit: Sendable {
  package let count: Int64
  /// The refusal of one more.
  package let refusal: TimeclockError

  package init(_ count: Int64, orThrow refusal: TimeclockError) {
    self.count = count
    self.refusal = refusal
  }
}
