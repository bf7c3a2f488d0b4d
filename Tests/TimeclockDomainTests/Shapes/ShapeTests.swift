import Testing
import TimeclockDomain

@Suite("A shape")
struct ShapeTests {
  @Test("has a field for each property of its record, but for the head and the owner")
  func everyProperty() {
    for type in Snapshot.Kind.shaped { expectWhole(type) }
  }

  private func expectWhole<Record: ShapedRecord>(_ type: Record.Type) {
    let organization = OrganizationID(high: 1, low: 2)
    let blank = Record(
      head: Head(id: Identifier(high: 3, low: 4), organizationID: organization, at: .earliest))
    var described = ["head"]
    if let owner = Record.shape.owner {
      described += changed(blank) { $0[keyPath: owner] = UserID(high: 5, low: 6) }
    }
    for field in Record.shape.fields {
      let properties = changed(blank) { fill(field, of: &$0) }
      #expect(properties.count == 1, "\(Record.self): \(field.name) changes \(properties)")
      described += properties
    }
    let properties = Mirror(reflecting: blank).children.compactMap(\.label)
    #expect(described.sorted() == properties.sorted(), "the shape of \(Record.self)")
    let names = Set(Record.shape.fields.map { "\($0.name)" })
    #expect(names.count == Record.shape.fields.count, "\(Record.self) has a name twice")
  }

  /// Gives a field another value than its default.
  private func fill<Record>(_ field: ShapeField<Record>, of record: inout Record) {
    switch field.kind {
    case .text(let place, _): record[keyPath: place] += "a"
    case .optionalText(let place, _): record[keyPath: place] = "a"
    case .flag(let place): record[keyPath: place].toggle()
    case .optionalNumber(let place, _): record[keyPath: place] = 1
    }
  }

  /// The properties that a change changes.
  private func changed<Record>(_ record: Record, _ change: (inout Record) -> Void) -> [String] {
    var other = record
    change(&other)
    return zip(Mirror(reflecting: record).children, Mirror(reflecting: other).children).compactMap {
      String(reflecting: $0.value) == String(reflecting: $1.value) ? nil : $0.label
    }
  }

  @Test("judges what is stated by its rules, in the order of the fields, before anything is kept")
  func rules() throws {
    var stated = Stated<Project>()
    stated.state(\.name) { try Name.validated(" Orchard ") }
    stated.state(\.client) { nil }
    let blank = Project(
      head: Head(
        id: ProjectID(high: 1, low: 2), organizationID: OrganizationID(high: 3, low: 4), at: .earliest))
    let assign = try stated.validated()
    var project = Project(head: blank.head) { $0.client = "Valley Farm" }
    assign(&project)
    #expect(project == Project(head: blank.head) { $0.name = "Orchard" })
    stated.state(\.name) { try Name.validated(" ") }
    stated.state(\.color) { try ProjectColor("red") }
    #expect(throws: TimeclockError.invalidName) { _ = try stated.validated() }
  }
}
