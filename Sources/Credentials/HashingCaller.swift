import TimeclockDomain

/// The person whose password is hashed or checked, and the person's group. Each person and each group has few of the
/// waiting places, and groups take turns.
package struct HashingCaller: Hashable, Sendable {
  let person: HashingPlace
  let group: HashingPlace

  /// A person who logs in: the stated e-mail address, whether it has an account or not, and the network.
  package static func logIn(_ attempt: LogInAttempt) -> HashingCaller {
    HashingCaller(
      person: .account(attempt.account), group: .network(attempt.network ?? ClientNetwork(address: nil)))
  }

  /// A person with a token, in an organization.
  package static func member(_ key: MemberKey) -> HashingCaller {
    HashingCaller(person: .user(key.user), group: .organization(key.organization))
  }

  /// A person with a token, outside any organization.
  package static func user(_ key: UserKey, from network: ClientNetwork) -> HashingCaller {
    HashingCaller(person: .user(key), group: .network(network))
  }

  /// The person who runs the service.
  package static let `operator` = HashingCaller(person: .operator, group: .operator)
}

/// The person or group that places for hashing are counted for.
enum HashingPlace: Hashable, Sendable {
  /// The stated e-mail address, in the form that `LogInAttempt` uses.
  case account(String)
  case user(UserKey)
  case network(ClientNetwork)
  case organization(OrganizationKey)
  case `operator`
}
