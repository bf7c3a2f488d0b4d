import Testing

@testable import TimeclockDomain

@Suite("Notes")
struct NotesTests {
  struct Case: CustomTestStringConvertible {
    var sent: String
    var stored: String?
    var testDescription: String { sent.debugDescription }
  }

  @Test(
    "are trimmed, and only < and > are escaped",
    arguments: [
      Case(sent: "plain", stored: "plain"),
      Case(sent: "  \n both ends \t\n", stored: "both ends"),
      Case(sent: "\u{A0}\u{2003}wide\u{3000}", stored: "wide"),
      Case(sent: "", stored: nil),
      Case(sent: " \n\t ", stored: nil),
      Case(sent: "<b>&amp;\"'</b>", stored: "&lt;b&gt;&amp;\"'&lt;/b&gt;"),
      Case(sent: "&lt;b&gt;", stored: "&lt;b&gt;"),
      Case(sent: "two\nlines\tand a tab", stored: "two\nlines\tand a tab"),
      Case(sent: "𝄞 é e\u{301} 👩‍👩‍👧", stored: "𝄞 é e\u{301} 👩‍👩‍👧"),
    ])
  func sanitizes(_ example: Case) throws {
    let notes = try Notes.sanitized(example.sent, maximumCharacters: 500)
    #expect(notes?.text.unicodeScalars.map(\.value) == example.stored?.unicodeScalars.map(\.value))
  }

  @Test("read and written back do not change", arguments: ["<a>", "&lt;a&gt;", "& <", "&amp;lt;"])
  func isStable(_ sent: String) throws {
    let once = try #require(try Notes.sanitized(sent, maximumCharacters: 500))
    #expect(try Notes.sanitized(once.text, maximumCharacters: 500) == once)
  }

  @Test(
    "count in code points after trimming and before escaping",
    arguments: ["a", "<", "é", "𝄞", "e\u{301}"])
  func countsCodePoints(_ unit: String) throws {
    let scalars = unit.unicodeScalars.count
    let fits = String(repeating: unit, count: 500 / scalars)
    #expect(try Notes.sanitized("  " + fits + "\n", maximumCharacters: 500) != nil)
    #expect(throws: TimeclockError.notesTooLong(maximumCharacters: 500)) {
      try Notes.sanitized(fits + "x", maximumCharacters: 500)
    }
  }

  @Test(
    "refuse control characters and bidirectional overrides",
    arguments: [
      0x00, 0x08, 0x0B, 0x0D, 0x1F, 0x7F, 0x85, 0x9F, 0x202A, 0x202E, 0x2066, 0x2069,
    ] as [UInt32])
  func refusesForbidden(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(throws: TimeclockError.notesInvalid) {
      try Notes.sanitized("a\(scalar)b", maximumCharacters: 500)
    }
  }

  @Test(
    "take the neighbors of what is refused",
    arguments: [0x09, 0x0A, 0x20, 0x7E, 0xA1, 0x2029, 0x202F, 0x2065, 0x206A] as [UInt32])
  func takesNeighbors(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(try Notes.sanitized("a\(scalar)b", maximumCharacters: 500) != nil)
  }
}
