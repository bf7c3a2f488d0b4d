/// The note in the lock's file about the database that it stands beside, for the next start.
///
/// A note that cannot be read says nothing: a lock that is missing, of an earlier version or torn by a power cut is
/// no reason to distrust a database.
struct LockNote: Hashable, Sendable {
  /// The id of the database that the log belongs to (`DatabaseID`); nil if nothing is known.
  var id: UInt32?
  /// The id that the database had before: either is right until the new one has reached the file.
  var formerID: UInt32?
  /// Whether the last process ended because it met damage.
  var isDamaged = false

  /// Whether a log may belong to the database with this id.
  func allowsLog(of id: UInt32) -> Bool {
    self.id == nil || self.id == id || formerID == id
  }

  /// Takes up the database with this id for a process that will give it a new one. Until that has reached the file,
  /// which only the process itself knows, both count, however often it is tried: an id that was written to the log
  /// before may yet come into the file, so the next try uses the same.
  mutating func renew(from id: UInt32) {
    let isUnsettled = formerID != nil && self.id != id && allowsLog(of: id)
    if !isUnsettled { self.id = DatabaseID.random(otherThan: id) }
    formerID = id
  }

  /// Every note has this many bytes, so that one is written over another at once. They lie in one sector.
  static let byteCount = 64
}

extension LockNote {
  /// Reads a note; nothing in it counts unless its checksum is right.
  init(bytes: [UInt8]) {
    self.init()
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count == 5, words[0] == Self.mark, words[4] == Self.checksum(of: words[0..<4]) else { return }
    id = UInt32(words[1], radix: 16)
    formerID = UInt32(words[2], radix: 16)
    isDamaged = words[3] == "damaged"
  }

  /// The note as one line.
  var bytes: [UInt8] {
    let words = [
      Self.mark, Self.hexadecimal(id), Self.hexadecimal(formerID), isDamaged ? "damaged" : "sound",
    ]
    let line = (words + [Self.checksum(of: words[...])]).joined(separator: " ")
    let padding = String(repeating: " ", count: Self.byteCount - 1 - line.utf8.count)
    return Array((line + padding + "\n").utf8)
  }

  private static let mark = "timeclock1"

  private static func hexadecimal(_ number: UInt32?) -> String {
    number.map { String($0, radix: 16) } ?? "-"
  }

  /// The 32-bit FNV-1a hash of the words: detects a torn note, and is not meant against malice.
  private static func checksum(of words: ArraySlice<some StringProtocol>) -> String {
    let hash = words.joined(separator: " ").utf8.reduce(0x811C_9DC5 as UInt32) {
      ($0 ^ UInt32($1)) &* 0x0100_0193
    }
    return String(hash, radix: 16)
  }
}
