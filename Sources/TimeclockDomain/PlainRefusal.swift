/// A refusal that says nothing but its words. It is declared beside the rule that it stands for, in one place.
package struct PlainRefusal: Hashable, Sendable {
  /// The obstacle that a request runs against.
  package enum Obstacle: Sendable {
    /// A rule about a request's values.
    case rule
    /// Data that is there already.
    case state
    /// The lack of something that the request names.
    case absence
    /// The rights of the caller.
    case permission
    /// The end of something that there was.
    case past
  }

  /// The stable word for programs.
  package let code: String
  /// One English sentence or two for the person who reads the answer.
  package let detail: String
  package let obstacle: Obstacle

  package init(_ code: String, against obstacle: Obstacle, _ detail: String) {
    self.code = code
    self.detail = detail
    self.obstacle = obstacle
  }
}
