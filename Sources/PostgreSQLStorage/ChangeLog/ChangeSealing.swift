import ChangeLog
import Procedures
import TimeclockDomain

/// Sealing: changes that are committed get their sequence numbers and their places in the chain of hashes.
///
/// A number that is given out before the commit says nothing about the order of commits: a change with a lower one may
/// be committed later, when readers have passed it by. So the order is made afterwards, by one process at a time, out
/// of the changes that it sees committed. The changes that a transaction could see when it began are sealed before its
/// own. Many processes on one database do not wait for each other there: one of them seals what all have written
/// (`SharedTurn.sealing`), and only readers, who cannot wait for it, seal besides.
extension PostgreSQLStorage {
  /// Seals an organization's changes if there are any to seal. All that was committed before the call is sealed when it
  /// returns. An instance that only reads seals nothing.
  func sealIfNeeded(_ organization: OrganizationKey) async throws {
    guard !isReadOnly else { return }
    let waiting = try await read(
      ChangeLogRows.anyUnsealed, [.integer(organization.value)], in: .organization(organization))
    guard waiting.count > 0 else { return }
    while try await seal(organization) == Self.batchSize {}
  }

  /// Looks for changes that any process has left unsealed, and seals them, unless another process is at it: that one looks
  /// again when it has sealed something.
  func lookForUnsealed() async throws -> SealingSchedule.Look {
    guard await takesTurn(at: .sealing) else { return .left }
    if try await sealAll() { return .sealed }
    await endTurn(at: .sealing)
    return .nothing
  }

  /// Seals the changes that any process has left unsealed. An organization where it fails does not keep the others from
  /// their turn.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: The first error.
  @discardableResult
  func sealAll() async throws -> Bool {
    var last: Int64?
    var failure: (any Error)?
    while true {
      let waiting = try await read(
        Self.unsealedOrganizations, [.integer(last ?? .min)], in: .everyone(because: .sealingLooksForWork)
      ).map { $0.integer(0) }
      guard let end = waiting.last else {
        if let failure { throw failure }
        return last != nil
      }
      for organization in Set(waiting).sorted() {
        do {
          while try await seal(OrganizationKey(organization)) == Self.batchSize {}
        } catch {
          failure = failure ?? error
        }
      }
      last = end
    }
  }

  /// Seals the oldest changes of an organization.
  ///
  /// - Returns: The number of changes sealed.
  private func seal(_ organization: OrganizationKey) async throws -> Int {
    let row = PostgreSQLValue.integer(organization.value)
    // Also of one that is on its way to another cell, and takes no other writes.
    let scope = RowScope.movingOrganization(organization)
    return try await onLoop { connections in
      try await connections.transaction(
        in: scope, .short(locking: .sealing(of: organization))
      ) { transaction in
        // Waits for a transaction that is sealing already, which has done the work by then: what is read behind the lock
        // is as that one has left it.
        let found = try await transaction.run(
          [Self.lock, ChangeLogRows.last, Self.waiting].map { PostgreSQLQuery($0, [row], in: scope) })
        guard let waiting = found.last, waiting.count > 0 else { return 0 }
        let last = found.dropFirst().first?.first {
          (sequence: $0.integer(0), hash: $0.optionalBytes(1) ?? [])
        }
        var (sequence, hash) = last ?? (0, ChangeChain.beginning)
        var writes: [PostgreSQLQuery] = []
        for (number, change) in try waiting.map({ ($0.integer(16), try ChangeLogRows.change($0)) }) {
          sequence += 1
          var change = change
          change.sequence = sequence
          change.contentDigest = ChangeChain.digest(of: change.content)
          hash = ChangeChain.hash(of: change, after: hash)
          let seal: [PostgreSQLValue] = [
            row, .integer(sequence), .integer(number), .bytes(change.contentDigest), .bytes(hash),
          ]
          writes.append(PostgreSQLQuery(Self.insert, seal, in: scope))
        }
        let count = writes.count
        for statement in [PostgreSQLStatement.of(WebhookWaking.statement), Self.notice] {
          writes.append(PostgreSQLQuery(statement, [row], in: scope))
        }
        _ = try await transaction.run(writes)
        return count
      }
    }
  }

  private static let batchSize = 1_000

  /// The organizations of some changes that wait, behind one organization, in order. One may stand there several times, and
  /// have more changes than these: all of them are sealed before the next is asked for.
  static let unsealedOrganizations = PostgreSQLStatement(
    """
    SELECT organization_id FROM unsealed_changes WHERE organization_id > $1 ORDER BY organization_id \
    LIMIT \(batchSize)
    """)

  /// One process at a time seals an organization's changes (`SealingLock`).
  private static let lock = PostgreSQLStatement(
    "SELECT 1::bigint FROM pg_advisory_xact_lock(\(SealingLock.key))")

  /// The commit notifies every process's listeners that the log has grown: a commit that notifies takes a lock of the
  /// whole cluster, so one commit seals many changes, and none of the writes waits for it.
  private static let notice = PostgreSQLStatement(
    "SELECT 1::bigint FROM pg_notify('\(AccessListener.changeChannel)', $1::bigint::text)")

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
