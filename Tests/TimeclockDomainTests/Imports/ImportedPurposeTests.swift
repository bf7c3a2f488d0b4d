import Testing

@testable import TimeclockDomain

@Suite("What imported time was for")
struct ImportedPurposeTests {
  private static func purpose(
    client: String = "", project: String = "P", task: String = "", description: String = "",
    tags: [String] = []
  ) -> ImportPurpose {
    ImportPurpose(
      client: client, project: project, task: task, description: description, tags: tags, isBillable: nil)
  }

  @Test(
    "is named by the description, as one line, cut to what a name may have",
    arguments: [
      ("", "Time entry"), ("  ", "Time entry"), ("Soup\nand\tbread", "Soup and bread"),
      (String(repeating: "é", count: 201), String(repeating: "é", count: 200)),
      (String(repeating: "x", count: 200) + "\n", String(repeating: "x", count: 200)),
    ])
  func names(_ description: String, _ name: String) throws {
    #expect(try ImportedPurpose(Self.purpose(description: description)).name == name)
  }

  @Test("has words of the length that they may have, and a refusal says which have not")
  func limits() throws {
    let long = { String(repeating: "x", count: $0) }
    let most = try ImportedPurpose(
      Self.purpose(
        client: long(200), project: long(200), task: long(100), tags: (0..<10).map { long(49) + "\($0)" }))
    #expect(most.client == long(200) && most.project == long(200) && most.task == long(100))
    #expect(most.tags.count == 10)
    let refused: [(ImportPurpose, String, String)] = [
      (Self.purpose(client: long(201)), "invalid_name", "The client: "),
      (Self.purpose(project: long(201)), "invalid_name", "The project: "),
      (Self.purpose(task: long(101)), "invalid_name", "The task: "),
      (Self.purpose(task: "a\nb"), "invalid_name", "The task: "),
      (Self.purpose(tags: [long(51)]), "invalid_tags", "The tags: "),
      (Self.purpose(tags: (0...10).map(String.init)), "invalid_tags", "The tags: "),
    ]
    for (purpose, code, beginning) in refused {
      let refusal = #expect(throws: ImportRefusal.self) { try ImportedPurpose(purpose) }
      #expect(refusal?.code == code && refusal?.detail.hasPrefix(beginning) == true)
    }
  }

  @Test("has no project if the row has a task only, and no client if that is empty")
  func parts() throws {
    let purpose = try ImportedPurpose(Self.purpose(client: " ", project: "", task: "T"))
    #expect(purpose.client == nil && purpose.project == nil && purpose.task == "T")
  }
}
