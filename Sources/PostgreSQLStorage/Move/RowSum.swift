import Cryptography
import DatabaseCopy

/// The number of rows of one table, and the sum of their SHA-256: the same in whichever order they come. The numbers of accounts,
/// by which many tables are in order, are others in the target.
struct RowSum: Hashable {
  private(set) var count: Int64 = 0
  private var words: [UInt64] = [0, 0, 0, 0]

  mutating func add(_ row: UnsafeRawBufferPointer) {
    count += 1
    SHA256.hash(row).withUnsafeBytes { digest in
      for index in words.indices {
        words[index] &+= digest.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
      }
    }
  }

  /// One SHA-256 over the sums of tables, as hexadecimal digits.
  static func checksum(of sums: [(table: CopiedTable, sum: RowSum)]) -> String {
    let lines = sums.map { "\($0.table.name) \($0.sum.count) \($0.sum.words)\n" }
    return Hexadecimal.text(of: Array(lines.joined().utf8).withUnsafeBytes { SHA256.hash($0) })
  }
}
