import TimeclockDomain

/// Copies one database into an empty one: everything, or one organization; all of it or nothing.
///
/// Row numbers stay the same, since the target has no other rows; so cursors, versions and tokens of clients stay valid.
package struct CopyRun<Source: CopySource, Target: CopyTarget> {
  let source: Source
  let target: Target
  let report: (CopyProgress) -> Void

  package init(from source: Source, to target: Target, report: @escaping (CopyProgress) -> Void) {
    self.source = source
    self.target = target
    self.report = report
  }

  /// Determines the scope of the copy. Call it before the target is made, so that a mistake leaves nothing behind.
  ///
  /// - Parameter organization: The organization to copy; nil for everything.
  /// - Throws: `CopyError.noSuchOrganization`, `.departed`; the source's errors.
  package static func scope(of organization: OrganizationID?, in source: Source) throws -> CopyScope {
    var scope = CopyScope.everything
    if let organization {
      guard let number = try source.organizationNumber(of: organization) else {
        throw CopyError.noSuchOrganization
      }
      scope = .organization(number)
    }
    try source.requireHere(scope)
    return scope
  }

  /// Copies, reads the rows back from the target, compares, and commits. Blocks.
  ///
  /// - Throws: `CopyError`; the databases' errors. The target must be closed then, and is as before.
  package func run(_ scope: CopyScope) throws -> CopyResult {
    for table in CopiedTable.all where try target.rowCount(of: table, in: .everything) > 0 {
      throw CopyError.targetIsNotEmpty(table: table.name)
    }
    let written = try CopiedTable.all.map { try copy($0, in: scope) }
    try target.prepareToRead()
    for (table, expected) in zip(CopiedTable.all, written) {
      var progress = CopyProgress(step: .verifying, table: table.name, total: expected.rowCount)
      // The target holds only the copy, so all its rows count.
      let found = try TableDigest.reading(table, in: .everything, of: target) { _ in
        if progress.count() { report(progress) }
      }
      guard found == expected else { throw CopyError.differs(table: table.name) }
    }
    try target.commit()
    return CopyResult(
      rowCounts: zip(CopiedTable.all, written).map { ($0.name, $1.rowCount) },
      checksum: TableDigest.checksum(of: written))
  }

  /// Copies the rows of one table, and its numbers.
  ///
  /// - Returns: The digest of the source's rows.
  private func copy(_ table: CopiedTable, in scope: CopyScope) throws -> TableDigest {
    var progress = CopyProgress(
      step: .copying, table: table.name, total: try source.rowCount(of: table, in: scope))
    report(progress)
    var digest: TableDigest?
    try target.write(table) { write in
      digest = try TableDigest.reading(table, in: scope, of: source) { row in
        try write(row)
        if progress.count() { report(progress) }
      }
    }
    if let numbering = table.numbering {
      try target.setLastNumber(try source.lastNumber(of: numbering, in: table), of: numbering, in: table)
    }
    guard let digest else { throw CopyError.differs(table: table.name) }
    return digest
  }
}

/// The progress of a copy.
package struct CopyProgress: Sendable {
  package enum Step: Sendable { case copying, verifying }

  package let step: Step
  package let table: String
  package private(set) var done: Int64 = 0
  /// The number of rows in the table.
  package let total: Int64

  package init(step: Step, table: String, total: Int64) {
    self.step = step
    self.table = table
    self.total = total
  }

  /// Counts a row; true for one in ten thousand, and for the last.
  package mutating func count() -> Bool {
    done += 1
    return done % 10_000 == 0 || done == total
  }
}

/// The result of a copy, which was found in the target.
package struct CopyResult: Sendable {
  /// The tables with their numbers of copied rows.
  package let rowCounts: [(table: String, count: Int64)]
  /// 64 hexadecimal digits, the same for the same rows in either database.
  package let checksum: String

  package init(rowCounts: [(table: String, count: Int64)], checksum: String) {
    self.rowCounts = rowCounts
    self.checksum = checksum
  }
}
