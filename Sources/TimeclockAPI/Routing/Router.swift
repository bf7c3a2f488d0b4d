import Glibc
import HTTPMessages

/// Finds the operation for a method and a path.
struct Router: Sendable {
  /// A node of the tree of path segments.
  private struct Node: Sendable {
    /// The words that may come next, a handful at most, each with the node that it leads to.
    var literals: [(word: [UInt8], next: Int)] = []
    var parameter: Int?
    var operations: [Operation] = []
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

  /// Finds the operation for a request; HEAD is answered like GET (RFC 9110, section 9.3.2).
  ///
  /// - Throws: `RequestError.methodNotImplemented`, `.noSuchRoute`, `.methodNotAllowed`.
  func match(_ method: HTTPMethod, _ path: String) throws -> Match {
    guard Self.isKnown(method) else { throw RequestError.methodNotImplemented }
    let (operations, parameters) = try operations(at: path)
    let wanted = method == .head ? .get : method
    guard let operation = operations.first(where: { $0.method == wanted }) else {
      throw RequestError.methodNotAllowed(Self.allowed(operations))
    }
    return Match(operation: operation, parameters: parameters)
  }

  /// Returns the methods that a path has, in alphabetical order.
  ///
  /// - Throws: `RequestError.noSuchRoute`.
  func methods(of path: String) throws -> [String] {
    Self.allowed(try operations(at: path).operations)
  }

  private func operations(at path: String) throws -> (operations: [Operation], parameters: [String]) {
    var path = path
    let (index, parameters) = try path.withUTF8(walk)
    guard !nodes[index].operations.isEmpty else { throw RequestError.noSuchRoute }
    return (nodes[index].operations, parameters)
  }

  /// Follows the path's segments through the tree.
  private func walk(_ path: UnsafeBufferPointer<UInt8>) throws -> (node: Int, parameters: [String]) {
    guard path.first == UInt8(ascii: "/") else { throw RequestError.noSuchRoute }
    var node = 0
    var parameters: [String] = []
    var start = 1
    while start <= path.count {
      let segment = Self.firstSegment(of: UnsafeBufferPointer(rebasing: path[start...]))
      if let next = nodes[node].literals.first(where: { Self.isEqual($0.word, segment) })?.next {
        node = next
      } else if let next = nodes[node].parameter, !segment.isEmpty {
        node = next
        parameters.append(String(decoding: segment, as: UTF8.self))
      } else {
        throw RequestError.noSuchRoute
      }
      start += segment.count + 1
    }
    return (node, parameters)
  }

  /// Returns the first segment of `path`, up to its first slash.
  private static func firstSegment(of path: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let start = path.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "/")), path.count) else {
      return path
    }
    return UnsafeBufferPointer(start: start, count: UnsafeRawPointer(end) - UnsafeRawPointer(start))
  }

  private static func isEqual(_ word: [UInt8], _ segment: UnsafeBufferPointer<UInt8>) -> Bool {
    guard word.count == segment.count, let start = segment.baseAddress else { return false }
    return memcmp(word, start, word.count) == 0
  }

  /// Whether a method is one of HTTP's own. A path may have such a method or not; any other method is not recognized for
  /// any path (RFC 9110, section 9.1).
  private static func isKnown(_ method: HTTPMethod) -> Bool {
    guard case .other(let name) = method else { return true }
    return name == "TRACE" || name == "QUERY"
  }

  private static func allowed(_ operations: [Operation]) -> [String] {
    let methods = operations.map(\.method)
    let all = methods.contains(.get) ? methods + [.head] : methods
    return all.map(\.name).sorted()
  }

  private mutating func add(_ operation: Operation) {
    var index = 0
    for segment in operation.path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      if segment.first == UInt8(ascii: "{") {
        index = nodes[index].parameter ?? append { $0.nodes[index].parameter = $1 }
      } else {
        let word = Array(segment)
        index =
          nodes[index].literals.first { $0.word == word }?.next
          ?? append { $0.nodes[index].literals.append((word, $1)) }
      }
    }
    nodes[index].operations.append(operation)
  }

  private mutating func append(_ link: (inout Router, Int) -> Void) -> Int {
    nodes.append(Node())
    link(&self, nodes.count - 1)
    return nodes.count - 1
  }
}
