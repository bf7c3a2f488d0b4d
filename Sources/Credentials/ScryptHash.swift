import FoundationEssentials
import TimeclockDomain

/// The parts of a stored hash.
struct ScryptHash {
  var cost: ScryptCost
  var salt: [UInt8]
  var hash: [UInt8]

  init(cost: ScryptCost, salt: [UInt8], hash: [UInt8]) {
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  /// Reads a stored hash; nil for text that is not one.
  init?(_ stored: PasswordHash) {
    let parts = stored.text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    let parameters = parts[2].split(separator: ",").map { $0.split(separator: "=") }
    guard parameters.count == 3, parameters.map(\.first) == ["ln", "r", "p"],
      let rounds = parameters[0].last.flatMap({ Int($0) }),
      let blockSize = parameters[1].last.flatMap({ Int($0) }),
      let parallelism = parameters[2].last.flatMap({ Int($0) }),
      let cost = ScryptCost(
        logarithmOfRounds: rounds, blockSize: blockSize, parallelism: parallelism),
      let salt = Data(base64Encoded: String(parts[3])), let hash = Data(base64Encoded: String(parts[4]))
    else { return nil }
    self.init(cost: cost, salt: Array(salt), hash: Array(hash))
  }

  /// The text to store.
  var encoded: PasswordHash {
    let parameters = "ln=\(cost.logarithmOfRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
    let salt = Data(salt).base64EncodedString()
    let hash = Data(hash).base64EncodedString()
    return PasswordHash(text: "$scrypt$\(parameters)$\(salt)$\(hash)")
  }
}
