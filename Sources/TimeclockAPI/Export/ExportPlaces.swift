import TimeclockDomain

/// How many exports are under way, so that clients who read slowly cannot make them take all memory, nor one
/// organization all places.
final class ExportPlaces: Sendable {
  /// Whose places are counted.
  private enum Holder: Hashable {
    case everybody
    case organization(OrganizationKey)
    case person(UserKey)
  }

  private let places = Places<Holder>()

  /// The most exports at once: of one person, of one organization, of all.
  private static let limits = (ofPerson: 4, ofOrganization: 8, ofAll: 32)

  /// A place for one export, held for as long as this is.
  final class Place: Sendable {
    private let giveBack: @Sendable () -> Void

    fileprivate init(givenBackBy giveBack: @escaping @Sendable () -> Void) {
      self.giveBack = giveBack
    }

    deinit {
      giveBack()
    }
  }

  /// Takes a place.
  ///
  /// - Throws: `TimeclockError.tooManyAtOnce` where the person or the organization has as many as one may,
  ///   `.unavailable` where all are taken.
  func take(for member: MemberKey) throws -> Place {
    let limits: [(key: Holder, most: Int)] = [
      (.person(member.user), Self.limits.ofPerson),
      (.organization(member.organization), Self.limits.ofOrganization), (.everybody, Self.limits.ofAll),
    ]
    switch places.take(limits) {
    case nil: return Place { [places] in places.giveBack(limits.map(\.key)) }
    case .everybody: throw TimeclockError.unavailable(retryAfterSeconds: 5)
    case .person, .organization: throw TimeclockError.tooManyAtOnce(retryAfterSeconds: 5)
    }
  }
}
