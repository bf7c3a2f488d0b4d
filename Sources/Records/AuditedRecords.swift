import TimeclockDomain

extension Snapshot.Kind {
  /// Reads all resources of this kind that an organization has, for `timeclock audit verify`.
  ///
  /// - Parameter read: Runs a statement with the integers that are its values, and reads each row that it gives.
  /// - Returns: Nil for a kind of which there may be many: each storage reads those in pages, by their ids.
  package func everything<Row>(
    of organization: OrganizationKey,
    _ read: (RecordStatement, [Int64], (inout RecordRow<Row>) throws -> Snapshot) throws -> [Snapshot]
  ) throws -> [Snapshot]? {
    let key = organization.value
    return switch self {
    case .organization: try read(Organization.one, [key]) { .organization(try Organization(&$0)) }
    case .member: try read(Member.page, [key, 0, .max]) { .member(try Member(&$0)) }
    case .apiToken: try read(ApiToken.page, [key, 0, .max]) { .apiToken(try ApiToken(&$0).withoutUse) }
    case .breakType: try read(BreakType.page, [key, 0, .max]) { .breakType(try BreakType(&$0)) }
    case .invitation: try read(Invitation.page, [key, 0, .max]) { .invitation(try Invitation(&$0)) }
    case .timeEntry, .session: nil
    }
  }
}
