import FoundationEssentials
import SQLiteStorage

/// The result of a back-up or a restore, as one line of JSON.
struct WholeDatabaseLine: Encodable {
  let file: String
  /// The path that a former database was moved to.
  let former: String?
  let bytes: Int64
  let sha256: String
  let rows: [String: Int64]
  let heads: [String: String]

  init(file: String, _ found: WholeDatabase, former: String?) {
    self.file = file
    self.former = former
    bytes = found.byteCount
    sha256 = found.checksum
    rows = Dictionary(found.rowCounts.map { ($0.table, $0.count) }) { $1 }
    heads = Dictionary(found.heads.map { ($0.organization.text, $0.head) }) { $1 }
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
