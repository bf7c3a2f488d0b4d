import Synchronization

@testable import ContractDocument

/// Which documented answers have been seen.
final class Recorder: Sendable {
  /// An answer: an operation, a status and, for a problem, its code.
  struct Observation: Hashable, Comparable, Sendable, CustomStringConvertible {
    var operationID: String
    var status: Int
    var code: String?

    var description: String { "\(operationID) \(status)\(code.map { " \($0)" } ?? "")" }

    static func < (first: Observation, second: Observation) -> Bool {
      first.description < second.description
    }
  }

  private let seen = Mutex<Set<Observation>>([])

  /// Notes an answer.
  func record(_ observation: Observation) {
    seen.withLock { _ = $0.insert(observation) }
  }

  /// Notes all that another recorder has.
  func merge(_ other: Recorder) {
    let theirs = other.seen.withLock { $0 }
    seen.withLock { $0.formUnion(theirs) }
  }

  /// Returns every status, and every problem code of a status, that the document promises and no case has seen.
  func missing(from document: OpenAPIDocument) -> [Observation] {
    let seen = seen.withLock { $0 }
    return document.operations.flatMap { operation in
      operation.responses.keys.flatMap { status -> [Observation] in
        let codes = operation.codes[status] ?? []
        let isSeen = seen.contains { $0.operationID == operation.id && $0.status == status }
        let unseen = codes.map { Observation(operationID: operation.id, status: status, code: $0) }
          .filter { !seen.contains($0) }
        return isSeen ? unseen : [Observation(operationID: operation.id, status: status)] + unseen
      }
    }.sorted()
  }
}
