import TimeclockDomain

/// A procedure has written other rows than those that it has read: somebody else has written them meanwhile, so it has read
/// them without their lock. It ends the transaction, so that nothing is logged that was not done.
///
/// On PostgreSQL the transaction is run again, because it may find the rows by then.
package struct MissedRows: Error, Hashable, CustomStringConvertible {
  package let table: String
  /// The number of rows that were to be written.
  package let meant: Int
  /// The number of rows that were.
  package let written: Int

  package var description: String { "\(written) of \(meant) rows of \(table) were there to be written" }

  /// Throws if a procedure has not written the rows that it has read.
  package static func requireNone(of table: String, meant: Int, written: Int) throws {
    guard written == meant else { throw MissedRows(table: table, meant: meant, written: written) }
  }
}
