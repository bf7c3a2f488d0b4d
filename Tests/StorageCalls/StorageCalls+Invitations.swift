import TimeclockDomain

extension StoragePart {
  /// The member's invitation, whose token has the bytes of its id.
  static let invitations = StoragePart(StorageCalls.invitations) { organization, storage in
    try await storage.createInvitation(
      organization.invitation(organization.names.invitation), digest: organization.invitationDigest,
      in: organization.key, context: .call, recording: nil)
  }
}

extension PreparedOrganization.Names {
  fileprivate var invitation: InvitationID { id(of: .invitation) }
}

extension PreparedOrganization {
  fileprivate func invitation(_ id: InvitationID = next()) -> Invitation {
    Invitation(id: id, userID: member.id, createdAt: Self.start, expiresAt: .latest)
  }

  /// The digest of the invitation's token, which no other organization has.
  fileprivate var invitationDigest: TokenDigest {
    TokenDigest(bytes: Array((id.text + "invitation").utf8.reversed().prefix(32)))
  }
}

extension StorageCalls {
  fileprivate static let invitations: [StorageMethod] = [
    StorageMethod(
      "createInvitation(_:digest:in:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createInvitation(
          organization.invitation(), digest: PreparedOrganization.newDigest(), in: organization.key,
          context: .call, recording: recording)
      }),
    StorageMethod(
      "invitations(of:after:limit:)", .reads, .organization,
      [StorageCall { try await $1.invitations(of: $0.key, after: nil, limit: 9).elements }]),
    StorageMethod(
      "deleteInvitation(_:in:context:)", .writes, .organization,
      [StorageCall { try await $1.deleteInvitation($0.names.invitation, in: $0.key, context: .call) }]),
    StorageMethod(
      "invitedAccount(by:at:)", .reads, .account,
      [StorageCall { try await $1.invitedAccount(by: $0.invitationDigest, at: PreparedOrganization.start) }]),
    StorageMethod(
      "acceptInvitation(_:from:to:logIn:context:)", .writes, .account,
      [
        StorageCall { organization, storage in
          try await storage.acceptInvitation(
            organization.invitationDigest, from: PreparedOrganization.password,
            to: PasswordHash(text: "$scrypt$b"), logIn: newToken, context: .call)
        }
      ]),
  ]
}
