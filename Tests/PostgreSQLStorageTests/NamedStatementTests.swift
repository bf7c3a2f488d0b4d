import Testing

@testable import PostgreSQLStorage

@Suite("Names of a statement's parameters")
struct NamedStatementTests {
  private let names = ParameterNames(["organization", "user", "userName"])

  @Test("are numbered by their order in the list, each as often as the text has it")
  func numbers() throws {
    let text = "SELECT $userName::text WHERE organization_id = $organization AND user_id IN ($user,$user)"
    #expect(
      try names.numbered(text) == "SELECT $3::text WHERE organization_id = $1 AND user_id IN ($2,$2)")
  }

  @Test("are refused if the text and the list do not have the same")
  func mismatches() throws {
    for (text, mismatch) in [
      ("$organization $user $userName $session", .unknown("session")),
      ("$organization $user $users $userName", .unknown("users")),
      ("$organization $user $userName $2", .unknown("2")),
      ("$organization $user $userName $", .unknown("")),
      ("$organization $userName", .unused("user")),
    ] as [(String, ParameterNames.Mismatch)] {
      #expect(throws: mismatch) { try names.numbered(text) }
    }
    #expect(throws: ParameterNames.Mismatch.repeated("user")) {
      try ParameterNames(["user", "user"]).numbered("$user")
    }
  }

  @Test("stand with the values of an input, in one order")
  func values() {
    let statement = NamedStatement<(number: Int64, isLast: Bool)>(
      ["isLast": { .bool($0.isLast) }], ["number": { .integer($0.number) }], text: "SELECT $number, $isLast")
    #expect(statement.statement.text == "SELECT $2, $1")
    let values = PostgreSQLParameters(statement.values((number: 7, isLast: true)))
    #expect(values.bytes.dropLast() == [1, 0, 0, 0, 0, 0, 0, 0, 7])
  }
}
