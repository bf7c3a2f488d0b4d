import TimeclockDomain

/// The statements for the pages of a list: one for each value of the flag by which it is narrowed.
struct FlaggedPages: Sendable {
  private let all: RecordStatement
  private let flagged: RecordStatement
  private let others: RecordStatement

  /// - Parameters:
  ///   - flag: The column of the flag; nil for a list that is not narrowed.
  ///   - selection: The condition for the rows of all three.
  ///   - page: Makes the statement for the rows that meet a condition.
  init(by flag: String?, of selection: String = "TRUE", _ page: (_ condition: String) -> RecordStatement) {
    all = page(selection)
    flagged = flag.map { page("\(selection) AND \($0)") } ?? all
    others = flag.map { page("\(selection) AND NOT \($0)") } ?? all
  }

  /// - Parameter isFlagged: Only rows with the flag, or only others; nil means all.
  subscript(isFlagged: Bool?) -> RecordStatement {
    switch isFlagged {
    case nil: all
    case true?: flagged
    case false?: others
    }
  }
}
