import TimeclockDomain

/// Limited places for long operations. Neither one person nor one organization can take all of them.
final class OperationPlaces: Sendable {
  /// The person or the organization whose places are counted.
  private enum Holder: Hashable {
    case everybody
    case organization(OrganizationKey)
    case person(UserKey)
  }

  private let places = Places<Holder>()
  private let limits: (ofPerson: Int, ofOrganization: Int, ofAll: Int)

  /// The places of exports. Clients that read slowly hold them for long, and each takes memory for a page.
  static func forExports() -> OperationPlaces { OperationPlaces(ofPerson: 4, ofOrganization: 8, ofAll: 32) }

  /// The places of imports, which are read, judged and written one after the other anyway.
  static func forImports() -> OperationPlaces { OperationPlaces(ofPerson: 2, ofOrganization: 2, ofAll: 8) }

  /// The places of the lists of timer apps, which may be as long as exports, and are asked for whenever an app comes up.
  static func forTimerLists() -> OperationPlaces {
    OperationPlaces(ofPerson: 4, ofOrganization: 32, ofAll: 128)
  }

  /// The places of pings, which wait for others' servers.
  static func forPings() -> OperationPlaces { OperationPlaces(ofPerson: 1, ofOrganization: 1, ofAll: 4) }

  /// Limits the places that one person, one organization and all together hold at once.
  private init(ofPerson: Int, ofOrganization: Int, ofAll: Int) {
    limits = (ofPerson, ofOrganization, ofAll)
  }

  /// A place for one operation, held as long as the object lives.
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
  /// - Throws: `TimeclockError.tooManyAtOnce` if the person or the organization has the most places that one may have,
  ///   `.unavailable` if all are taken.
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
