/// One try of a password, as it is counted.
package struct LogInAttempt: Hashable, Sendable {
  /// The account whose password is tried: the key of the e-mail address that was stated, so that no spelling of it has
  /// attempts of its own, whether it has an account or not; for somebody who is logged in, the user's id; for an invitation,
  /// its digest. Storages keep a digest: people type passwords into the wrong field.
  package let account: String
  /// The origin of the attempt; nil for somebody who is logged in, whose attempts are counted together from anywhere.
  package let network: ClientNetwork?

  /// A log-in.
  package init(email: String, from network: ClientNetwork) {
    account = EmailAddress.key(of: Text.trimmed(email))
    self.network = network
  }

  /// The check of the present password by somebody who is logged in. Nobody else can use these attempts up.
  package init(by userID: UserID) {
    account = userID.text
    network = nil
  }

  /// The use of an invitation's token. Two tokens are counted together only in one network's attempts.
  package init(invitation digest: TokenDigest, from network: ClientNetwork) {
    account = "invitation " + digest.bytes.map { String($0, radix: 16) }.joined(separator: " ")
    self.network = network
  }

  /// The instant until which a log-in makes the network known as one of the account's: 30 days later.
  package func knownUntil(after now: Instant) -> Instant {
    network == nil ? now : now.adding(milliseconds: 30 * 86_400_000)
  }

  /// Whether the attempt may be made.
  ///
  /// - Throws: `TimeclockError.tooManyAttempts`.
  package func requireAllowed(by counts: LogInCounts, at now: Instant) throws {
    var wait = AttemptLimit.ofPair.wait(clearAt: counts.ofPair, now: now)
    if network != nil {
      wait = max(wait, AttemptLimit.ofRightPasswords.wait(clearAt: counts.ofRightPasswords, now: now))
      wait = max(wait, AttemptLimit.ofNetwork.wait(clearAt: counts.ofNetwork, now: now))
      if isUnderAttack(counts, now), !isKnown(counts, now) {
        wait = max(
          wait, AttemptLimit.ofPair.wait(clearAt: counts.ofPair, now: now, spared: Self.sparedUnderAttack))
      }
    }
    guard wait == 0 else {
      throw TimeclockError.tooManyAttempts(retryAfterSeconds: Int((wait + 999) / 1_000))
    }
  }

  /// The milliseconds of the allowance that an unknown network may not use while an account is under attack: a first
  /// attempt is always allowed, a second after a minute, and then one every 3 minutes.
  private static let sparedUnderAttack: Int64 = 600_000

  private func isUnderAttack(_ counts: LogInCounts, _ now: Instant) -> Bool {
    AttemptLimit.ofAccount.wait(clearAt: counts.ofAccount, now: now) > 0
  }

  private func isKnown(_ counts: LogInCounts, _ now: Instant) -> Bool {
    counts.knownUntil.map { $0 > now } ?? false
  }
}

extension LogInAttempt {
  /// The counter of log-ins with the right password, so that a person with one password cannot keep all other people's
  /// from being looked at; nil for somebody who is logged in.
  package var rightPasswordCounter: LogInCounter? {
    network.map { _ in LogInCounter(account: account, network: "right", limit: .ofRightPasswords) }
  }

  /// The counters of the attempt; its own comes first, and the others in one order for all attempts.
  package var counters: [LogInCounter] {
    guard let network else { return [LogInCounter(account: account, network: "session", limit: .ofPair)] }
    return [
      LogInCounter(account: account, network: network.text, limit: .ofPair),
      LogInCounter(account: nil, network: network.text, limit: .ofNetwork),
      LogInCounter(account: account, network: "", limit: .ofAccount),
    ]
  }
}

/// One of the counts that an attempt is part of.
package struct LogInCounter: Hashable, Sendable {
  /// The account whose password is tried; nil for any account.
  package let account: String?
  /// The origin of the attempts; empty for anywhere, `right` for log-ins with the right password from anywhere.
  package let network: String
  package let limit: AttemptLimit
}

/// The counts that an attempt belongs to: for each, the instant at which nothing is left of it; nil if nothing was
/// counted.
package struct LogInCounts: Hashable, Sendable {
  /// The account from this network.
  package var ofPair: Instant?
  /// This network, over all accounts.
  package var ofNetwork: Instant?
  /// The account, from anywhere.
  package var ofAccount: Instant?
  /// The account's log-ins with the right password, from anywhere.
  package var ofRightPasswords: Instant?
  /// The instant until which the network is known as one of the account's.
  package var knownUntil: Instant?

  package init(
    ofPair: Instant? = nil, ofNetwork: Instant? = nil, ofAccount: Instant? = nil,
    ofRightPasswords: Instant? = nil, knownUntil: Instant? = nil
  ) {
    self.ofPair = ofPair
    self.ofNetwork = ofNetwork
    self.ofAccount = ofAccount
    self.ofRightPasswords = ofRightPasswords
    self.knownUntil = knownUntil
  }
}

/// The end of an attempt that was counted, unless the password was wrong: that leaves it counted.
package enum LogInOutcome: Sendable {
  /// The password was right: attempts counted for the account from this network are forgotten, the network is known,
  /// and the log-in is counted as one with the right password.
  case succeeded
  /// The password was not looked at: the attempt is taken back.
  case notChecked
}
