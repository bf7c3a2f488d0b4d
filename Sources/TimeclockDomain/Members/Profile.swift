/// A person's changes of their own account; nil leaves a value as it is.
package struct AccountChanges: Sendable {
  package var name: String?
  /// The inner nil takes the person's own zone away.
  package var timeZone: TimeZoneIdentifier??
  /// The inner nil takes the person's language away.
  package var language: Language??
  /// The address to log in with from now on, and the hash of the password that was checked for it.
  package var address: (email: EmailAddress, checkedHash: PasswordHash)?

  package init(
    name: String?, timeZone: TimeZoneIdentifier??, language: Language??,
    address: (email: EmailAddress, checkedHash: PasswordHash)?
  ) {
    self.name = name
    self.timeZone = timeZone
    self.language = language
    self.address = address
  }
}

extension TimeclockError {
  package static let addressTaken = TimeclockError.plain(
    PlainRefusal(
      "address_taken", against: .state,
      "Another account has this e-mail address."))
}

/// A membership to create.
package struct NewMember: Sendable {
  package var organization: OrganizationKey
  package var role: Role
  package var timeZone: TimeZoneIdentifier?
  package var personnelNumber: String?
  package var isActive: Bool

  package init(
    organization: OrganizationKey, role: Role, timeZone: TimeZoneIdentifier?, personnelNumber: String? = nil,
    isActive: Bool = true
  ) {
    self.organization = organization
    self.role = role
    self.timeZone = timeZone
    self.personnelNumber = personnelNumber
    self.isActive = isActive
  }
}

/// A person and all organizations the person belongs to.
package struct Profile: Hashable, Sendable {
  package var user: User
  package var memberships: [ProfileMembership]

  package init(user: User, memberships: [ProfileMembership]) {
    self.user = user
    self.memberships = memberships
  }
}

/// One of a person's memberships, as the person sees it.
package struct ProfileMembership: Hashable, Sendable {
  package var organization: OrganizationKey
  package var organizationID: OrganizationID
  package var organizationName: String
  package var role: Role
  package var timeZone: TimeZoneIdentifier?
  package var isActive: Bool
  /// The address of the cell that the organization has moved to; nil of one that is here.
  package var movedTo: String?
  /// Whether the person's log-ins are valid in this organization.
  package var isAccepted: Bool
  /// The person's address as this organization wrote it, and its name for them.
  package var email: String
  package var name: String
  /// The person's language as this organization has it.
  package var language: Language?

  package init(
    organization: OrganizationKey, organizationID: OrganizationID, organizationName: String, role: Role,
    timeZone: TimeZoneIdentifier?, isActive: Bool, isAccepted: Bool, email: String, name: String,
    language: Language?, movedTo: String? = nil
  ) {
    self.organization = organization
    self.organizationID = organizationID
    self.organizationName = organizationName
    self.role = role
    self.timeZone = timeZone
    self.isActive = isActive
    self.movedTo = movedTo
    self.isAccepted = isAccepted
    self.email = email
    self.name = name
    self.language = language
  }
}
