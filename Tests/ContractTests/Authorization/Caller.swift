@testable import ContractDocument

/// The kinds of callers that the contract distinguishes.
enum Caller: String, CaseIterable, Sendable {
  /// Without a token.
  case nobody
  /// With an admin's token that has expired.
  case expired
  /// With an admin's token that was revoked.
  case revoked
  /// A person who was an admin here, is deactivated, and works elsewhere.
  case deactivated
  /// An admin of another organization.
  case foreign
  case member, manager, admin
  /// With an API token of an admin that only reads.
  case reader
  /// An admin who has logged in with a one-time password.
  case newcomer
  /// With the operator's token.
  case `operator`
}

/// The outcome of a call because of its caller.
enum Verdict: Equatable, Sendable {
  case allowed
  case refused(status: Int, code: String)
}

extension Operation {
  /// Returns the contract's verdict on a caller; on a member, about the member's own resources.
  ///
  /// Everything that the contract does not allow is refused, also an operation that does not state its callers.
  func verdict(on caller: Caller) -> Verdict {
    guard isSecured else { return .allowed }
    switch caller {
    case .nobody: return .refused(status: 401, code: "missing_token")
    case .expired, .revoked: return .refused(status: 401, code: "invalid_token")
    case .operator where requiredRole != .operator: return .refused(status: 401, code: "invalid_token")
    case .foreign where isInOrganization: return .refused(status: 404, code: "organization_not_found")
    case .deactivated where isInOrganization: return .refused(status: 403, code: "member_deactivated")
    case .newcomer where requiredRole != .operator && id != "changePassword":
      return .refused(status: 403, code: "password_change_required")
    case .reader where method != "GET" && requiredRole != .operator:
      return .refused(status: 403, code: "read_only_token")
    case .reader where isOfOwnTimer: return .refused(status: 403, code: "forbidden")
    // An operation for every user that still forbids itself to some is for log-ins alone.
    case .reader where requiredRole == .user && codes[403]?.contains("forbidden") == true:
      return .refused(status: 403, code: "forbidden")
    default: return Self.allows(requiredRole, caller) ? .allowed : .refused(status: 403, code: "forbidden")
    }
  }

  /// Whether it is about the caller's own timer, which is for log-ins alone.
  var isOfOwnTimer: Bool {
    let place = pathTemplate.split(separator: "/").dropFirst(3).first
    return ["timers", "timerSessions", "liveActivity", "pushTargets"].contains(place)
  }

  /// Returns the contract's verdict on a member, a manager or an admin about another member's resources; nil if the
  /// contract makes no difference.
  func verdictForOthers(on caller: Caller) -> Verdict? {
    requiredRoleForOthers.map {
      Self.allows($0, caller) ? .allowed : .refused(status: 403, code: "forbidden")
    }
  }

  private static func allows(_ role: RequiredRole?, _ caller: Caller) -> Bool {
    switch role {
    case .user: caller != .operator
    case .member: [.member, .manager, .admin, .reader].contains(caller)
    case .manager: [.manager, .admin, .reader].contains(caller)
    case .admin: [.admin, .reader].contains(caller)
    case .operator: caller == .operator
    case nil: false
    }
  }
}
