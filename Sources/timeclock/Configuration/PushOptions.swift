import ArgumentParser
import Delivery
import FoundationEssentials

/// The options for messages to phones.
struct PushOptions: ParsableArguments {
  @Option(.apnsKeyFile) var apnsKeyFile: String?
  @Option(.apnsKeyID) var apnsKeyID: String?
  @Option(.apnsTeamID) var apnsTeamID: String?
  @Option(.apnsHost) var apnsHost: String?
  @Option(.apnsCAFile) var apnsCAFile: String?

  /// The sender of messages to phones; nil if no key is configured, and then nothing is sent.
  ///
  /// - Throws: `CommandError` for a part of the settings without the others, and for values that are not valid.
  func sender() throws -> PushSender? {
    let stated = try (
      Setting.apnsKeyFile.optional(apnsKeyFile), Setting.apnsKeyID.optional(apnsKeyID),
      Setting.apnsTeamID.optional(apnsTeamID)
    )
    let (host, certificates) = (
      try Setting.apnsHost.optional(apnsHost), try Setting.apnsCAFile.optional(apnsCAFile)
    )
    guard stated.0 != nil || stated.1 != nil || stated.2 != nil || host != nil || certificates != nil else {
      return nil
    }
    guard let file = stated.0, let keyID = stated.1, let teamID = stated.2 else {
      throw CommandError(usage: "--apns-key-file, --apns-key-id and --apns-team-id are all needed, or none.")
    }
    if let host, !Self.isHost(host) {
      throw CommandError(
        usage: "The value \(host) of --apns-host is not valid: it is a name, perhaps with a port.")
    }
    if let certificates, !FileManager.default.isReadableFile(atPath: certificates) {
      throw CommandError(usage: "The file \(certificates) of --apns-ca-file cannot be read.")
    }
    return PushSender(
      key: try key(in: file, keyID: keyID, teamID: teamID), host: host, certificates: certificates,
      threadCount: Self.threadCount, queueLimit: Self.queueLimit)
  }

  /// The messages that are under way at once, each on a connection that stays open, and those that may wait.
  private static let threadCount = 4
  private static let queueLimit = 1_000

  private func key(in file: String, keyID: String, teamID: String) throws -> ProviderKey {
    guard let content = FileManager.default.contents(atPath: file) else {
      throw CommandError(usage: "The file \(file) of --apns-key-file cannot be read.")
    }
    do throws(ProviderKey.Fault) {
      return try ProviderKey(pem: String(decoding: content, as: UTF8.self), keyID: keyID, teamID: teamID)
    } catch {
      switch error {
      case .key:
        throw CommandError(
          usage: "The file \(file) of --apns-key-file has no P-256 key in PEM, as Apple gives it.")
      case .identifier: throw CommandError(usage: "--apns-key-id and --apns-team-id are letters and digits.")
      }
    }
  }

  private static func isHost(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isName =
      parts.count <= 2 && (1...253).contains(parts[0].utf8.count)
      && parts[0].utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x2E
      }
    let isPort = parts.count < 2 || UInt16(parts[1]).map { $0 > 0 } ?? false
    return isName && isPort
  }
}
