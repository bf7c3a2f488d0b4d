import Procedures
import TimeclockDomain

/// A method of the storage protocol, with calls that make it act.
package struct StorageMethod: Sendable {
  /// Whether a method only looks.
  package enum Kind: Sendable {
    case reads
    case writes
  }

  /// The owners of the rows that a method may meet.
  package enum Scope: Sendable {
    /// Those of the organization whose key it takes.
    case organization
    /// Those of a person or a token, in whichever organizations these are.
    case account
    /// Everybody's.
    case service
  }

  /// The full name, such as `profile(of:)`.
  package let name: String
  package let kind: Kind
  package let scope: Scope
  /// At least one.
  package let calls: [StorageCall]

  init(_ name: String, _ kind: Kind, _ scope: Scope, _ calls: [StorageCall]) {
    self.name = name
    self.kind = kind
    self.scope = scope
    self.calls = calls.map { call in
      var named = call
      named.name = call.name.isEmpty ? name : "\(name) \(call.name)"
      return named
    }
  }
}

/// A call of one method, in an organization that has something for it to do.
package struct StorageCall: Sendable {
  /// The method's full name, and which of its calls this is.
  package fileprivate(set) var name: String
  private let preparation: Preparation?
  private let body: @Sendable (PreparedOrganization, any Storage) async throws -> String

  /// Makes something in an organization.
  typealias Preparation = @Sendable (PreparedOrganization, any Storage) async throws -> Void

  /// Whether the call needs more than every prepared organization has.
  package var needsPreparation: Bool { preparation != nil }

  /// A call that is refused if the body throws.
  ///
  /// - Parameters:
  ///   - name: Which of the method's calls this is; nothing for the only one.
  ///   - preparation: The organization's needs beyond those of every prepared one.
  ///   - body: Calls the method once, and nothing else of the storage.
  init<Answer: Sendable>(
    _ name: String = "",
    after preparation: Preparation? = nil,
    _ body: @escaping @Sendable (PreparedOrganization, any Storage) async throws -> Answer
  ) {
    self.name = name
    self.preparation = preparation
    self.body = { organization, storage in AnswerWords.words(of: try await body(organization, storage)) }
  }

  /// Makes the call's prerequisites. It may be called on another storage of the same database.
  package func prepare(_ organization: PreparedOrganization, in storage: any Storage) async throws {
    try await preparation?(organization, storage)
  }

  /// Calls the method.
  ///
  /// - Returns: The texts, numbers and choices of the answer; equal for equal calls in organizations made alike.
  package func answer(_ organization: PreparedOrganization, in storage: any Storage) async throws -> String {
    try await body(organization, storage)
  }

  /// Calls the method; a refusal is an answer too.
  ///
  /// - Throws: An error that is no refusal.
  package func answerOrRefusal(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws -> String {
    do {
      return try await answer(organization, in: storage)
    } catch let refusal as TimeclockError {
      return Self.words(of: refusal)
    }
  }

  /// Calls the method; an error is an answer too.
  package func outcome(_ organization: PreparedOrganization, in storage: any Storage) async -> String {
    do {
      return try await answer(organization, in: storage)
    } catch {
      return Self.words(of: error)
    }
  }

  private static func words(of error: any Error) -> String { "refused: \(AnswerWords.words(of: error))" }
}
