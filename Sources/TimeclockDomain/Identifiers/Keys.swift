/// An organization's row in a storage; means nothing outside it.
package struct OrganizationKey: Hashable, Sendable {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }
}

/// A user's row in a storage; means nothing outside it.
package struct UserKey: Hashable, Sendable {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }
}

/// A membership's row in a storage; means nothing outside it.
package struct MemberKey: Hashable, Sendable {
  package let organization: OrganizationKey
  package let user: UserKey

  package init(organization: OrganizationKey, user: UserKey) {
    self.organization = organization
    self.user = user
  }
}
