/// Whether the second wall between organizations stands (docs/decisions/0015-row-level-security.md).
enum RowSecurity {
  /// Whether row-level security holds the connection's role in every table with an organization's rows. It holds no
  /// superuser and no role with BYPASSRLS.
  static func isActive(on connection: EstablishedConnection) throws -> Bool {
    try connection.execute(
      """
      SELECT coalesce(bool_and(row_security_active(attrelid)), FALSE) FROM pg_attribute
      WHERE attname = 'organization_id' AND NOT attisdropped AND attrelid IN (
        SELECT oid FROM pg_class WHERE relkind IN ('r', 'p')
        AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'organizations'::regclass))
      """) == "t"
  }
}
