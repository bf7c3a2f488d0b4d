/// The outcome of the rows of a file.
package struct ImportReport: Hashable, Sendable {
  /// Whether nothing was kept: the rows were only judged.
  package var isDryRun: Bool
  /// The number of rows that became entries.
  package var taken = 0
  /// The number of rows that were entries before.
  package var alreadyThere = 0
  /// The lines of the rows that became entries which end after the row's own length, and not at its end.
  package var shortened: [Int] = []
  /// The rows that were not taken, in the order of the file.
  package var refused: [RefusedImportRow] = []
  /// The people who became members, in the order of the file.
  package var membersCreated: [ImportedMember] = []
  /// The number of projects that were made.
  package var projectsCreated = 0
  /// The number of tasks that were made.
  package var tasksCreated = 0
  /// The number of segments that were made, each of a row that was taken.
  package var segmentsCreated = 0

  /// The names of the file's columns of which nothing was read.
  package var ignoredColumns: [String]

  package init(isDryRun: Bool, ignoredColumns: [String] = []) {
    self.isDryRun = isDryRun
    self.ignoredColumns = ignoredColumns
  }

  /// Adds the outcome of the rows that follow in the file.
  package mutating func append(_ next: ImportReport) {
    taken += next.taken
    alreadyThere += next.alreadyThere
    shortened += next.shortened
    refused += next.refused
    membersCreated += next.membersCreated
    projectsCreated += next.projectsCreated
    tasksCreated += next.tasksCreated
    segmentsCreated += next.segmentsCreated
  }

  /// This report with the outcome of the rows that follow in the file.
  package func appending(_ next: ImportReport) -> ImportReport {
    var sum = self
    sum.append(next)
    return sum
  }
}

/// A row that was not taken.
package struct RefusedImportRow: Hashable, Sendable {
  /// The line of the file in which the row begins, from 1 on.
  package var line: Int
  package var refusal: ImportRefusal

  package init(line: Int, refusal: ImportRefusal) {
    self.line = line
    self.refusal = refusal
  }
}

/// A person made a member by an import.
package struct ImportedMember: Hashable, Sendable {
  package var userID: UserID
  package var email: String
  package var name: String
}
