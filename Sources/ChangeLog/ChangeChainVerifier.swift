import TimeclockDomain

/// Checks an organization's chain of changes and collects its faults.
package struct ChangeChainVerifier {
  /// A fault of the chain.
  package enum Fault: Hashable, Sendable, CustomStringConvertible {
    /// Changes before this sequence number are missing, or one is there twice.
    case gap(expected: Int64, found: Int64)
    /// The content differs from the sealed one.
    case contentAltered(sequence: Int64)
    /// The author, the time, the kind of change or the hash itself differs from the sealed one.
    case recordAltered(sequence: Int64)

    /// One line for a person.
    package var description: String {
      switch self {
      case .gap(let expected, let found): "change \(expected) is missing: the next one is \(found)"
      case .contentAltered(let sequence): "change \(sequence): its content has been altered"
      case .recordAltered(let sequence):
        "change \(sequence): the record has been altered, or one before was removed"
      }
    }
  }

  /// The sequence number of the last change seen; 0 before the first.
  package private(set) var sequence: Int64 = 0
  /// The hash of the last change seen.
  package private(set) var hash = ChangeChain.beginning
  /// The number of changes whose content was erased.
  package private(set) var erasedCount: Int64 = 0
  package private(set) var faults: [Fault] = []

  package init() {}

  /// Checks the next change, in the order of sequence numbers. Each fault is noted once: later changes are checked
  /// against the chain as it is.
  package mutating func check(_ change: StoredChange) {
    if change.sequence != sequence + 1 { faults.append(.gap(expected: sequence + 1, found: change.sequence)) }
    if change.content.salt == nil {
      erasedCount += 1
      if change.content != ChangeContent(before: nil, after: nil, reason: nil, salt: nil) {
        faults.append(.contentAltered(sequence: change.sequence))
      }
    } else if ChangeChain.digest(of: change.content) != change.contentDigest {
      faults.append(.contentAltered(sequence: change.sequence))
    }
    if change.sequence == sequence + 1, ChangeChain.hash(of: change, after: hash) != change.hash {
      faults.append(.recordAltered(sequence: change.sequence))
    }
    sequence = change.sequence
    hash = change.hash
  }
}
