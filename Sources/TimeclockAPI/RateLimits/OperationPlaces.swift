import TimeclockDomain

/// Places for operations that take long, so that neither one person nor one organization takes all of them.
final class OperationPlaces: Sendable {
  /// Whose places are counted.
  private enum Holder: Hashable {
    case everybody
    case organization(OrganizationKey)
    case person(UserKey)
  }

  private let places = Places<Holder>()
  private let limits: (ofPerson: Int, ofOrganization: Int, ofAll: Int)

  /// Exports, which clients who read slowly hold for long: each takes memory for a page.
  static func forExports() -> OperationPlaces { OperationPlaces(ofPerson: 4, ofOrganization: 8, ofAll: 32) }

  /// Imports, which are read, judged and written one after the other anyway.
  static func forImports() -> OperationPlaces { OperationPlaces(ofPerson: 2, ofOrganization: 2, ofAll: 8) }

  /// Limits the places that one person, one organization and all together hold at once.
  private init(ofPerson: Int, ofOrganization: Int, ofAll: Int) {
    limits = (ofPerson, ofOrganization, ofAll)
  }

  /// A place for one operation, held for as long as this is.
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
      (.person(member.user), self.limits.ofPerson),
      (.organization(member.organization), self.limits.ofOrganization), (.everybody, self.limits.ofAll),
    ]
    switch places.take(limits) {
    case nil: return Place { [places] in places.giveBack(limits.map(\.key)) }
    case .everybody: throw TimeclockError.unavailable(retryAfterSeconds: 5)
    case .person, .organization: throw TimeclockError.tooManyAtOnce(retryAfterSeconds: 5)
    }
  }
}
