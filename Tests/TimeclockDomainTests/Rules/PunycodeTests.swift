import Testing

@testable import TimeclockDomain

@Suite("Punycode")
struct PunycodeTests {
  @Test(
    "writes and reads the samples of RFC 3492, section 7.1, and others",
    arguments: [
      (
        "\u{0644}\u{064A}\u{0647}\u{0645}\u{0627}\u{0628}\u{062A}\u{0643}\u{0644}\u{0645}\u{0648}\u{0634}\u{0639}\u{0631}\u{0628}\u{064A}\u{061F}",
        "egbpdaj6bu4bxfgehfvwxn"
      ),
      ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"), ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
      ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
      ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
      ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
      ("PorquénopuedensimplementehablarenEspañol", "PorqunopuedensimplementehablarenEspaol-fmd56a"),
      ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"), ("-> $1.00 <-", "-> $1.00 <--"), ("bücher", "bcher-kva"),
      ("ü", "tda"), ("😀", "e28h"), ("", ""),
    ])
  func samples(_ label: String, _ ascii: String) {
    #expect(Punycode.encoded(label) == ascii)
    #expect(Punycode.decoded(ascii).map { Array($0.unicodeScalars) } == Array(label.unicodeScalars))
  }

  @Test(
    "gives nothing for text that is no label, and never ends the program",
    arguments: [
      "é", "99999999999999", "zzzzzzzzzzzzzzzz", "a-99999999", "!", "a-!", "abc-\u{7F}", "0", "tda0",
      String(repeating: "9", count: 250), String(repeating: "z", count: 250),
      "a-" + String(repeating: "y", count: 250),
    ])
  func nothing(_ text: String) {
    // Text that is a label by chance is encoded as it was.
    guard let label = Punycode.decoded(text) else { return }
    #expect(Punycode.encoded(label)?.lowercased() == text.lowercased())
  }

  @Test("reads what it has written, whatever the letters are")
  func roundTrip() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let ranges: [ClosedRange<UInt32>] = [
        0x61...0x7A, 0xC0...0x24F, 0x370...0x3FF, 0x4E00...0x9FFF, 0x1F600...0x1F64F,
      ]
      let scalars = (0..<Int.random(in: 1...30, using: &random)).compactMap { _ in
        ranges.randomElement(using: &random).flatMap { Unicode.Scalar(UInt32.random(in: $0, using: &random)) }
      }
      let label = String(String.UnicodeScalarView(scalars))
      let written = Punycode.encoded(label)
      #expect(written?.utf8.allSatisfy { $0 < 0x80 } == true)
      #expect(written.flatMap(Punycode.decoded).map { Array($0.unicodeScalars) } == scalars)
    }
  }
}
