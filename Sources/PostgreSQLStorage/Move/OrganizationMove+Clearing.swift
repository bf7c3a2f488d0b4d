import DatabaseCopy

extension OrganizationMove {
  /// Deletes what is left at the source of the organization, which has moved, in parts between which others write. From then
  /// on its address is not answered there any more. It can be cut off, and run again.
  ///
  /// - Throws: `MoveError.notMoved` unless the target has the organization.
  package func clear() throws {
    guard case .address? = try departure(), try isInTarget() else { throw MoveError.notMoved }
    for table in CopiedTable.ofMove.reversed()
    where table.columns.contains(where: { $0.name == "organization_id" }) {
      switch table.name {
      // With its mark of the departure.
      case "organizations": continue
      case "members": while try source.number(endingOfMembers) > 0 {}
      default:
        try repeatedly(
          """
          DELETE FROM \(table.name) WHERE ctid = ANY (ARRAY( \
          SELECT ctid FROM \(table.name) WHERE organization_id = \(number) LIMIT 5000))
          """)
      }
    }
    try source.connection.execute(
      """
      BEGIN; DELETE FROM organization_arrivals WHERE organization_id = \(number); \
      DELETE FROM organization_departures WHERE organization_id = \(number); \
      DELETE FROM organizations WHERE organization_id = \(number); \
      SELECT pg_notify('\(AccessListener.channel)', ''); COMMIT
      """)
  }

  /// Deletes some members, and the accounts that belong to no other organization; gives the number of the members.
  private var endingOfMembers: String {
    """
    WITH gone AS (DELETE FROM members WHERE ctid = ANY (ARRAY( \
    SELECT ctid FROM members WHERE organization_id = \(number) LIMIT 500)) RETURNING user_id), \
    alone AS (SELECT user_id FROM gone g WHERE NOT EXISTS ( \
    SELECT 1 FROM members m WHERE m.user_id = g.user_id AND m.organization_id <> \(number))), \
    answers AS (DELETE FROM idempotency_keys WHERE user_id IN (SELECT user_id FROM alone)), \
    log_ins AS (DELETE FROM tokens WHERE user_id IN (SELECT user_id FROM alone)), \
    accounts AS (DELETE FROM users WHERE user_id IN (SELECT user_id FROM alone)) SELECT count(*) FROM gone
    """
  }

  /// Runs a deletion until it finds nothing.
  private func repeatedly(_ deletion: String) throws {
    while try source.number("WITH gone AS (\(deletion) RETURNING 1) SELECT count(*) FROM gone") > 0 {}
  }
}
