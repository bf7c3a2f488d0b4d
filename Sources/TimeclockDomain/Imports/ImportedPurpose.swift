/// The purpose of a row's time, by the rules of projects, tasks and segments.
package struct ImportedPurpose: Sendable {
  let client: String?
  /// Nil if the row has a task only.
  let project: String?
  let task: String?
  /// The description as one line, cut to a segment name's limit.
  let name: String
  let tags: [String]
  let isBillable: Bool?

  /// - Throws: `ImportRefusal` for a client, project, task or tag that is too long or has control characters.
  package init(_ stated: ImportPurpose) throws {
    client = try Self.checked("The client") { try Project.client(stated.client) }
    project = try Self.checked("The project") {
      stated.project.isEmpty ? nil : try Name.validated(stated.project)
    }
    task = try Self.checked("The task") { stated.task.isEmpty ? nil : try WorkTask.name(stated.task) }
    name = try Self.checked("The description") {
      try SegmentText.name(Self.line(stated.description, maximumCharacters: Name.maximumCharacters))
    }
    tags = try Self.checked("The tags") { try SegmentText.tags(stated.tags) }
    isBillable = stated.isBillable
  }

  private static func checked<Value>(_ words: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as TimeclockError {
      throw ImportRefusal.words(words, error)
    }
  }

  /// The text as one line, cut.
  private static func line(_ text: String, maximumCharacters: Int) -> String {
    let scalars = text.unicodeScalars.lazy.map { $0 == "\n" || $0 == "\t" ? " " : $0 }
    return String(String.UnicodeScalarView(scalars.prefix(maximumCharacters)))
  }
}
