import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Returns the caller's account and memberships, on request with the state that an app shows first.
  static let getMe = Operation("getMe") { request in
    let inclusions: [MembershipInclusion] =
      try request.query { $0.choices("include", atMost: MembershipInclusion.allCases.count) } ?? []
    try request.requireNoBody()
    let authentication = try request.requireAuthentication()
    let profile = try await request.timeclock.storage.profile(of: authentication.user)
    var states: [OrganizationID: MembershipState] = [:]
    if !inclusions.isEmpty {
      let active = profile.visible(in: authentication.scope).filter(\.isActive)
      for one in active.prefix(MembershipState.limit) {
        states[one.organizationID] = try await MembershipState(
          of: authentication, in: one, inclusions, request.timeclock)
      }
    }
    return .tagged { profile.writeMembers(to: &$0, scope: authentication.scope, states) }
  }
}

/// A part of a membership's state that the caller can ask for.
private enum MembershipInclusion: String, CaseIterable {
  case organization
  case current
  case sessions
}

/// The things that an app shows first of an organization.
struct MembershipState {
  /// The memberships of one answer that have it: those that are older.
  static let limit = 10

  private let organization: Organization?
  private let current: CurrentTimeEntry?
  private let sessions: [SessionDetails]?

  fileprivate init(
    of caller: Authentication, in membership: ProfileMembership, _ inclusions: [MembershipInclusion],
    _ timeclock: Timeclock
  ) async throws {
    let key = membership.organization
    guard let member = try await timeclock.storage.membership(of: caller.userID, in: key) else {
      throw TimeclockError.notFound(.organization)
    }
    organization = inclusions.contains(.organization) ? try await timeclock.storage.organization(key) : nil
    current =
      inclusions.contains(.current) ? try await CurrentTimeEntry(of: nil, for: member, in: timeclock) : nil
    sessions = inclusions.contains(.sessions) ? try await timeclock.sessionsAhead(of: member) : nil
  }

  /// Writes the members of the contract's Membership that were asked for.
  func writeMembers(to writer: inout JSONWriter) {
    if let organization {
      writer.name("organization")
      organization.write(to: &writer)
    }
    if let current {
      writer.name("current")
      writer.object { current.writeMembers(to: &$0) }
    }
    if let sessions { writer.array("sessions", sessions) { $1.write(to: &$0) } }
  }
}
