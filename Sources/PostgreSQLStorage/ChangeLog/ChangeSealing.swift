import ChangeLog
import TimeclockDomain

/// Sealing: changes that are committed get their sequence numbers and their places in the chain of hashes.
///
/// A number that is given out before the commit says nothing about the order of commits: a change with a lower one may
/// be committed later, when readers have passed it by. So the order is made afterwards, by one process at a time, out
/// of the changes that it sees committed. The changes that a transaction could see when it began are sealed before its
/// own.
extension PostgreSQLStorage {
  /// Seals an organization's changes if there are any to seal. All that was committed before the call is sealed when it
  /// returns.
  func sealIfNeeded(_ organization: OrganizationKey) async throws {
    let waiting = try await read(
      ChangeLogRows.anyUnsealed, [.integer(organization.value)], in: .organization(organization))
    guard waiting.count > 0 else { return }
    while try await seal(organization) == Self.batchSize {}
  }

  /// Seals the changes that any process has left unsealed.
  func sealAll() async throws {
    let organizations = try await read(
      Self.unsealedOrganizations, [], in: .everyone(because: .sealingLooksForWork)
    ).map { OrganizationKey($0.integer(0)) }
    for organization in organizations { try await sealIfNeeded(organization) }
  }

  /// Seals the oldest changes of an organization.
  ///
  /// - Returns: The number of changes sealed.
  private func seal(_ organization: OrganizationKey) async throws -> Int {
    let row = PostgreSQLValue.integer(organization.value)
    return try await onLoop { connections in
      try await connections.transaction(
        in: .organization(organization), .short(locking: .sealing(of: organization))
      ) { transaction in
        // Waits for a transaction that is sealing already, which has done the work by then.
        try await transaction.run(Self.lock, [row])
        let last = try await transaction.run(ChangeLogRows.last, [row])
          .first { (sequence: $0.integer(0), hash: $0.optionalBytes(1) ?? []) }
        let waiting = try await transaction.run(Self.waiting, [row])
          .map { (number: $0.integer(16), change: try ChangeLogRows.change($0)) }
        var (sequence, hash) = last ?? (0, ChangeChain.beginning)
        var seals: [[PostgreSQLValue]] = []
        for (number, change) in waiting {
          sequence += 1
          var change = change
          change.sequence = sequence
          change.contentDigest = ChangeChain.digest(of: change.content)
          hash = ChangeChain.hash(of: change, after: hash)
          seals.append([
            row, .integer(sequence), .integer(number), .bytes(change.contentDigest), .bytes(hash),
          ])
        }
        try await transaction.run(Self.insert, each: seals)
        return seals.count
      }
    }
  }

  private static let batchSize = 1_000

  private static let unsealedOrganizations = PostgreSQLStatement(
    "SELECT DISTINCT organization_id FROM unsealed_changes")

  /// One process at a time seals an organization's changes
  /// (postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS). The key is that of the organization's row, in
  /// a space of its own. The commit notifies every process's listeners that the log has grown: a commit that notifies
  /// takes a lock of the whole cluster, so one commit seals many changes, and none of the writes waits for it.
  private static let lock = PostgreSQLStatement(
    """
    SELECT 1::bigint FROM pg_advisory_xact_lock(x'7365616c'::int, ($1::bigint % 2147483647)::int), \
    pg_notify('\(AccessListener.changeChannel)', $1::bigint::text)
    """)

  /// Each change is looked up by its number, however long PostgreSQL estimates the queue to be: a free join would walk
  /// an organization's whole history to find the last few.
  static let waiting = waiting(limit: Int64(batchSize))
  /// The same, of all that waits.
  static let allWaiting = waiting(limit: .max)

  private static func waiting(limit: Int64) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT 0::bigint, c.kind, c.resource, c.resource_id, c.author_means, c.author_id, c.author_token_id, c.request_id, \
      c.operation, c.time, c.reason, c.before, c.after, c.salt, NULL::bytea, NULL::bytea, c.change_number \
      FROM (SELECT change_number FROM unsealed_changes WHERE organization_id = $1 \
      ORDER BY change_number LIMIT \(limit)) q \
      CROSS JOIN LATERAL (SELECT * FROM changes \
      WHERE organization_id = $1 AND change_number = q.change_number OFFSET 0) c \
      ORDER BY q.change_number
      """)
  }

  /// Inserts a seal, and takes its change out of the queue.
  private static let insert = PostgreSQLStatement(
    """
    WITH done AS (DELETE FROM unsealed_changes WHERE organization_id = $1 AND change_number = $3) \
    INSERT INTO change_seals (organization_id, sequence, change_number, content_digest, hash) \
    VALUES ($1, $2, $3, $4, $5)
    """)
}

extension WaitingQuery.LockOrder {
  /// The lock for sealing an organization's changes. No user has this number.
  fileprivate static func sealing(of organization: OrganizationKey) -> WaitingQuery.LockOrder {
    .init(first: organization.value, second: .min)
  }
}
