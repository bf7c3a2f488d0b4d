import Procedures
import TimeclockDomain

/// A call of one organization about another's records.
package struct ForeignCall: Sendable, CustomStringConvertible {
  /// The names by which the caller asks for the other's rows.
  package enum Names: Sendable, CaseIterable {
    /// The other's, under which the caller has nothing.
    case theirs
    /// Names under which both have something.
    case common
  }

  package let method: StorageMethod
  package let call: StorageCall
  package let names: Names

  /// Every call of every method that takes an organization's key, with both kinds of names.
  package static let all = StorageCalls.whileOpen.filter { $0.scope == .organization }.flatMap { method in
    method.calls.flatMap { call in
      Names.allCases.map { ForeignCall(method: method, call: call, names: $0) }
    }
  }

  /// The call's name and the kind of names.
  package var description: String { "\(call.name), by \(names) names" }
}

/// An organization that asks, and another that it asks about.
package struct OrganizationPair: Sendable {
  /// The organization that is asked about. All its texts, and no others, have the word "Umbrella".
  package let theirs: PreparedOrganization
  /// The organization that asks.
  package let ours: PreparedOrganization
  /// The organization that calls are given: the key of ours, and the names by which it asks.
  package let asked: PreparedOrganization

  /// Makes both organizations, or only the one that asks.
  ///
  /// - Parameters:
  ///   - names: Our organization's names for the records it asks about.
  ///   - other: The organization that is asked about, if there is one already.
  ///   - storage: May be another storage of the database that calls are made on.
  package static func make(
    with names: ForeignCall.Names, about other: PreparedOrganization? = nil, in storage: any Storage
  ) async throws -> OrganizationPair {
    let theirs: PreparedOrganization
    if let other { theirs = other } else { theirs = try await .make("Umbrella", in: storage) }
    switch names {
    case .theirs:
      let ours = try await PreparedOrganization.make("Acme", in: storage)
      return OrganizationPair(theirs: theirs, ours: ours, asked: ours.asking(about: theirs))
    case .common:
      let ours = try await PreparedOrganization.make("Acme", like: theirs, in: storage)
      return OrganizationPair(theirs: theirs, ours: ours, asked: ours)
    }
  }
}
