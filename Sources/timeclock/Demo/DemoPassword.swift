/// A password for a demo: eight random syllables, which can be read out and typed. There are 10^16 of them.
struct DemoPassword: Sendable {
  let text: String

  /// Makes a new one from the system's random source.
  init() {
    var random = SystemRandomNumberGenerator()
    let consonants = Array("bcdfghjklmnpqrstvwxz")
    let vowels = Array("aeiou")
    let syllables = (0..<8).map { _ in
      String([
        consonants[Int.random(in: consonants.indices, using: &random)],
        vowels[Int.random(in: vowels.indices, using: &random)],
      ])
    }
    text = stride(from: 0, to: 8, by: 2).map { syllables[$0] + syllables[$0 + 1] }.joined(separator: "-")
  }
}
