import TimeclockDomain

extension Member {
  /// Writes the contract's Member.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("userId", userID)
      writer.member("organizationID", organizationID)
      writer.member("email", email)
      writer.member("name", name)
      writer.member("role", role.rawValue)
      writer.member("timeZone", timeZone?.name)
      writer.member("language", language?.rawValue)
      writer.member("personnelNumber", personnelNumber)
      writer.member("active", isActive)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("anonymizedAt", anonymizedAt)
      writer.member("version", version)
    }
  }

  /// The contract's Member.
  var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The path of the member.
  var location: String {
    "/v1/organizations/\(organizationID)/members/\(userID)"
  }
}

extension User {
  /// Writes the contract's User.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("email", email)
      writer.member("name", name)
      writer.member("language", language?.rawValue)
    }
  }
}

extension Profile {
  /// Writes the members of the contract's Me.
  ///
  /// - Parameters:
  ///   - scope: The one organization that an API token may see; nil for a log-in, which sees the organizations that the
  ///     person has accepted.
  ///   - states: The requested state of each membership.
  func writeMembers(
    to writer: inout JSONWriter, scope: OrganizationKey?, _ states: [OrganizationID: MembershipState] = [:]
  ) {
    let visible = visible(in: scope)
    var user = user
    if scope != nil, let only = visible.first {
      // An API token is for one organization, which must not learn the person's name in another.
      (user.email, user.name, user.language) = (only.email, only.name, only.language)
    }
    writer.name("user")
    user.write(to: &writer)
    writer.array("memberships", visible) { $1.write(to: &$0, states[$1.organizationID]) }
  }

  /// The memberships that a token shows, as `writeMembers` says.
  func visible(in scope: OrganizationKey?) -> [ProfileMembership] {
    memberships.filter { scope == nil ? $0.isAccepted : $0.organization == scope }
  }
}

extension ProfileMembership {
  fileprivate func write(to writer: inout JSONWriter, _ state: MembershipState?) {
    writer.object { writer in
      writer.member("organizationID", organizationID)
      writer.member("organizationName", organizationName)
      writer.member("role", role.rawValue)
      writer.member("timeZone", timeZone?.name)
      writer.member("active", isActive)
      if let movedTo { writer.member("movedTo", movedTo) }
      state?.writeMembers(to: &writer)
    }
  }
}
