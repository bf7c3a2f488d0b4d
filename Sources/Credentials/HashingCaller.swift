import TimeclockDomain

/// Who asks for a password to be hashed or checked. One person has few places among those that wait, and so has a group
/// of people, whose turn comes after that of every other group.
package struct HashingCaller: Hashable, Sendable {
  let person: HashingPlace
  let group: HashingPlace

  /// Somebody who logs in: the e-mail address that was stated, whether it has an account or not, and the network.
  package static func logIn(_ attempt: LogInAttempt) -> HashingCaller {
    HashingCaller(
      person: .account(attempt.account), group: .network(attempt.network ?? ClientNetwork(address: nil)))
  }

  /// Somebody with a token, in an organization.
  package static func member(_ key: MemberKey) -> HashingCaller {
    HashingCaller(person: .user(key.user), group: .organization(key.organization))
  }

  /// Somebody with a token, in no organization.
  package static func user(_ key: UserKey, from network: ClientNetwork) -> HashingCaller {
    HashingCaller(person: .user(key), group: .network(network))
  }

  /// Whoever runs the service.
  package static let `operator` = HashingCaller(person: .operator, group: .operator)
}

/// What the places for hashing are counted by.
enum HashingPlace: Hashable, Sendable {
  /// The e-mail address that was stated, as `LogInAttempt` has it.
  case account(String)
  case user(UserKey)
  case network(ClientNetwork)
  case organization(OrganizationKey)
  case `operator`
}
