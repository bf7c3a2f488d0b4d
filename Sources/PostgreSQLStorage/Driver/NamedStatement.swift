/// A statement whose text names its parameters, as in `$clockIn`, and computes each value from an input. Meant for
/// `static let`: the text is built once.
struct NamedStatement<Input>: Sendable {
  /// The statement that is sent: the first parameter of the list is `$1`.
  let statement: PostgreSQLStatement
  private let parameters: [NamedParameters<Input>.Value]

  /// - Parameters:
  ///   - parameters: In the order in which they are sent; each stands in the text, and no other does.
  ///   - isPlannedAnew: As in `PostgreSQLStatement`.
  init(_ parameters: NamedParameters<Input>..., isPlannedAnew: Bool = false, text: String) {
    let list = parameters.flatMap(\.list)
    self.parameters = list.map(\.value)
    do {
      statement = PostgreSQLStatement(
        try ParameterNames(list.map(\.name)).numbered(text), isPlannedAnew: isPlannedAnew)
    } catch {
      preconditionFailure("\(error) in \(text)")
    }
  }

  /// The values of the parameters, in their order.
  func values(_ input: Input) -> [PostgreSQLValue] {
    let input = StatementInput(input)
    return parameters.map { $0(input) }
  }
}

/// The input that a statement's values are taken from. A class, so that no parameter gets a copy: in a clock-in the
/// copies took as many instructions as the values.
@dynamicMemberLookup
final class StatementInput<Input> {
  private let input: Input

  fileprivate init(_ input: Input) {
    self.input = input
  }

  subscript<Member>(dynamicMember member: KeyPath<Input, Member>) -> Member {
    @inline(__always) get { input[keyPath: member] }
  }
}

/// Parameters of a statement by their names, in their order.
struct NamedParameters<Input>: ExpressibleByDictionaryLiteral, Sendable {
  typealias Value = @Sendable (StatementInput<Input>) -> PostgreSQLValue
  typealias Parameter = (name: String, value: Value)

  let list: [Parameter]

  init(dictionaryLiteral elements: (String, Value)...) {
    list = elements.map { (name: $0.0, value: $0.1) }
  }
}

/// The names of a statement's parameters, in their order.
struct ParameterNames {
  /// The reasons why a text and its parameters do not belong together.
  enum Mismatch: Error, Equatable {
    /// A name that no parameter has, or a number in the place of one.
    case unknown(String)
    /// A parameter that the text does not use.
    case unused(String)
    /// Two parameters of one name.
    case repeated(String)
  }

  private let names: [String]

  init(_ names: [String]) {
    self.names = names
  }

  /// The text with `$2` in the place of the second name.
  func numbered(_ text: String) throws(Mismatch) -> String {
    var places: [Substring: Int] = [:]
    for (place, name) in names.enumerated() {
      guard places.updateValue(place + 1, forKey: name[...]) == nil else { throw .repeated(name) }
    }
    var unused = Set(places.keys)
    var numbered = ""
    for (position, part) in text.split(separator: "$", omittingEmptySubsequences: false).enumerated() {
      guard position > 0 else {
        numbered += part
        continue
      }
      let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard let place = places[name] else { throw .unknown(String(name)) }
      unused.remove(name)
      numbered += "$\(place)\(part.dropFirst(name.count))"
    }
    if let name = names.first(where: { unused.contains($0[...]) }) { throw .unused(name) }
    return numbered
  }
}

/// Columns that a statement inserts, each with the expression for its value.
struct InsertedColumns: ExpressibleByDictionaryLiteral {
  let names: String
  let values: String

  init(dictionaryLiteral elements: (String, String)...) {
    names = elements.map(\.0).joined(separator: ", ")
    values = elements.map(\.1).joined(separator: ", ")
  }
}

extension PostgreSQLQuery {
  /// The statement with its values for an input.
  init<Input>(_ statement: NamedStatement<Input>, of input: Input, in scope: RowScope) {
    self.init(statement.statement, statement.values(input), in: scope)
  }
}

extension PostgreSQLTransaction {
  /// Runs a statement with its values for an input.
  @discardableResult
  func run<Input>(_ statement: NamedStatement<Input>, of input: Input) async throws -> PostgreSQLRows {
    try await run(statement.statement, statement.values(input))
  }
}
