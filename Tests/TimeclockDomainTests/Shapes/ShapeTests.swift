import StorageCalls
import Testing
import TimeclockDomain

@Suite("A shape")
struct ShapeTests {
  @Test("has a field for each property of its record, but for the head and the owner")
  func everyProperty() {
    for type in Snapshot.Kind.shaped { expectWhole(type) }
    expectWhole(Voucher.self)
  }

  private func expectWhole<Record: ShapedRecord>(_ type: Record.Type) {
    let organization = OrganizationID(high: 1, low: 2)
    let blank = Record(
      head: Head(id: Identifier(high: 3, low: 4), organizationID: organization, at: .earliest))
    var described = ["head"]
    if let owner = Record.shape.owner?.path {
      described += changed(blank) { $0[keyPath: owner] = UserID(high: 5, low: 6) }
    }
    for field in Record.shape.fields {
      var properties = changed(blank) { fill(field, of: &$0) }
      // There is no other word to change it to.
      if case .choice(_, let words) = field.kind, words.count == 1 { properties = ["\(field.name)"] }
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
    case .text(let place): place.put((place[record] ?? "") + "a", into: &record)
    case .number(let place), .decimal(let place): place.put((place[record] ?? 0) + 1, into: &record)
    case .numbers(let place): place.put((place[record] ?? []) + [1], into: &record)
    case .breakRules(let place): place.put([BreakRule(afterSeconds: 1, breakSeconds: 2)], into: &record)
    case .flag(let place): place.put(place[record] == false, into: &record)
    case .date(let place): place.put(.latest, into: &record)
    case .instant(let place): place.put(.latest, into: &record)
    case .user(let place): place.put(UserID(high: 9, low: 10), into: &record)
    case .choice(let place, let words): place.put(words.first { $0 != place[record] }, into: &record)
    case .reference(let place, _), .resource(let place): place.put(ResourceID(high: 7, low: 8), into: &record)
    case .people(let place, _): place.put([UserID(high: 9, low: 10)], into: &record)
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
    let head = Head<Project>(
      id: ProjectID(high: 1, low: 2), organizationID: OrganizationID(high: 3, low: 4), at: .earliest)
    let assign = try stated(name: " Orchard ", client: nil).validated()
    var project = Project(head: head) { $0.client = "Valley Farm" }
    assign(&project)
    #expect(project.name == "Orchard" && project.client == nil && project.color.text == "#00AA00")
    let refused = stated(name: " ", client: nil, color: "red")
    #expect(throws: TimeclockError.invalidName) { _ = try refused.validated() }
  }

  private func stated(name: String?, client: String?, color: String? = "#00AA00") -> Stated<Project> {
    let texts = ["name": name, "client": client, "color": color]
    return Project.shape.fields.reduce(into: Stated()) { stated, field in
      if case .text(let place) = field.kind, let text = texts["\(field.name)"] {
        stated.state(field, place, text)
      }
    }
  }

  @Test("keeps head, owner and what is fixed from a change, and nothing else")
  func fixed() {
    var changed = Voucher(
      head: Head(id: Identifier(high: 9, low: 9), organizationID: Voucher.full.organizationID, at: .earliest))
    changed.code = "B"
    changed.limit = 1
    changed.restoreFixed(from: Voucher.full)
    var expected = Voucher(head: Voucher.full.head)
    expected.ownerID = Voucher.full.ownerID
    expected.code = Voucher.full.code
    expected.limit = Voucher.full.limit
    #expect(changed == expected)
  }

  @Test("leaves a record as it is for null that is no value of a field, and for no word of its list")
  func nothing() {
    var voucher = Voucher.full
    for field in Voucher.shape.fields {
      switch field.kind {
      case .text(let place) where !place.isOptional: place.put(nil, into: &voucher)
      case .choice(let place, let words):
        #expect(words == ["green", "red"])
        place.put("blue", into: &voucher)
        place.put(nil, into: &voucher)
      default: continue
      }
    }
    #expect(voucher == Voucher.full)
  }
}
