import HTTPMessages
import TimeclockDomain

/// The routes of the contract: of each operation the method, the path and the access, as `openapi/` states them.
enum ContractRoutes {
  private static let all = parsed(text)

  /// The route of an operation of the contract.
  ///
  /// - Parameter id: The operationId. Another one than those of the contract is a fault of this program.
  static func route(of id: String) -> Operation.Route {
    guard let route = all[id] else { preconditionFailure("The contract has no operation \(id).") }
    return route
  }

  /// The routes of a text, by operationId: a line for each path, below it one for each operation (`GET getProject
  /// member`).
  static func parsed(_ text: String) -> [String: Operation.Route] {
    var routes: [String: Operation.Route] = [:]
    var path = ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 1 {
        path = words[0]
        continue
      }
      guard words.count == 3, let access = access(words[2]) else {
        preconditionFailure("This is no route: \(line)")
      }
      routes[words[1]] = Operation.Route(method: HTTPMethod(name: words[0]), path: path, access: access)
    }
    return routes
  }

  /// The access by its word. A word that is missing or not known is no access.
  private static func access(_ word: String) -> Operation.Access? {
    switch word {
    case "open": .open
    case "operator": .operator
    case "user": .user
    default: Role(rawValue: word).map { .role($0) }
    }
  }
}
