@testable import ContractDocument

/// A person with a token, as the tests know them.
struct Person: Sendable {
  var userID: String
  var email: String
  var password: String
  var token: String
}

/// An organization with one person of each role.
struct Tenant: Sendable {
  var organizationID: String
  var admin: Person
  var manager: Person
  var member: Person

  /// Returns the person with exactly this role.
  func person(_ role: Operation.RequiredRole) -> Person {
    switch role {
    case .admin: admin
    case .manager: manager
    case .user, .member, .operator: member
    }
  }
}
