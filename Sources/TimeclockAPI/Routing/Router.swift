import HTTPMessages

/// Finds the operation for a method and a path.
struct Router: Sendable {
  /// A place in the tree of path segments.
  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var operations: [HTTPMethod: Operation] = [:]
  }

  /// An operation and the path segments that stand for its parameters, in order.
  struct Match: Sendable {
    let operation: Operation
    let parameters: [String]
  }

  private var nodes = [Node()]

  init(_ operations: [Operation]) {
    for operation in operations { add(operation) }
  }

  /// The operation for a request; HEAD is answered like GET (RFC 9110, section 9.3.2).
  ///
  /// - Throws: `RequestError.noSuchRoute`, `.methodNotAllowed`.
  func match(_ method: HTTPMethod, _ path: String) throws -> Match {
    var index = 0
    var parameters: [String] = []
    for segment in Self.segments(of: path) {
      let text = String(segment)
      if let next = nodes[index].literals[text] {
        index = next
      } else if let next = nodes[index].parameter, !text.isEmpty {
        index = next
        parameters.append(text)
      } else {
        throw RequestError.noSuchRoute
      }
    }
    let operations = nodes[index].operations
    guard !operations.isEmpty else { throw RequestError.noSuchRoute }
    guard let operation = operations[method == .head ? .get : method] else {
      throw RequestError.methodNotAllowed(Self.allowed(operations))
    }
    return Match(operation: operation, parameters: parameters)
  }

  private static func segments(of path: String) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func allowed(_ operations: [HTTPMethod: Operation]) -> [String] {
    var names = operations.keys.map(\.name)
    if operations[.get] != nil { names.append(HTTPMethod.head.name) }
    return names.sorted()
  }

  private mutating func add(_ operation: Operation) {
    var index = 0
    for segment in Self.segments(of: operation.path) {
      if segment.hasPrefix("{") {
        index = nodes[index].parameter ?? append { $0.nodes[index].parameter = $1 }
      } else {
        index =
          nodes[index].literals[String(segment)]
          ?? append { $0.nodes[index].literals[String(segment)] = $1 }
      }
    }
    nodes[index].operations[operation.method] = operation
  }

  private mutating func append(_ link: (inout Router, Int) -> Void) -> Int {
    nodes.append(Node())
    link(&self, nodes.count - 1)
    return nodes.count - 1
  }
}
