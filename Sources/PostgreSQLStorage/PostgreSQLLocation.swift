import CPostgreSQL

/// Which database, in any form that libpq reads: a URI or keywords and values
/// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING). It may hold a password, so it is never
/// printed.
package struct PostgreSQLLocation: Sendable {
  let conninfo: String

  /// - Throws: `PostgreSQLStorageError.malformedLocation` for what libpq cannot read.
  package init(_ conninfo: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(conninfo, &message)
    defer {
      PQconninfoFree(options)
      PQfreemem(message)
    }
    guard options != nil else {
      throw PostgreSQLStorageError.malformedLocation(ConnectionMessage.line(message))
    }
    self.conninfo = conninfo
  }
}

/// Why a database cannot be opened. Each description is one line for whoever starts the program.
package enum PostgreSQLStorageError: Error, Hashable, CustomStringConvertible {
  /// libpq cannot read the location; its word for why.
  case malformedLocation(String)
  /// There is no connection to be had; PostgreSQL's or libpq's word for why.
  case cannotConnect(String)
  /// A migration failed; PostgreSQL's word for why.
  case cannotMigrate(number: Int64, reason: String)
  /// The schema has tables of another program.
  case foreignDatabase
  /// The database was written by a later version of the program.
  case schemaIsNewer(database: Int64, program: Int64)
  /// The database was written by an earlier version of the program, and is not to be changed now.
  case schemaIsOlder(database: Int64, program: Int64)
  /// A migration that the database went through is not the one that this program has.
  case migrationDiffers(number: Int64)

  package var description: String {
    switch self {
    case .malformedLocation(let reason):
      "The database location cannot be read: \(reason)"
    case .cannotConnect(let reason):
      "The PostgreSQL database cannot be reached: \(reason)"
    case .cannotMigrate(let number, let reason):
      "The database's schema cannot be brought to number \(number): \(reason)"
    case .foreignDatabase:
      "The database has tables of another program: give Timeclock a database of its own."
    case .schemaIsNewer(let database, let program):
      "The database has schema \(database), and this program knows \(program): use a newer program."
    case .schemaIsOlder(let database, let program):
      """
      The database has schema \(database), and this program needs \(program): start this program's server on it \
      once.
      """
    case .migrationDiffers(let number):
      "The database's schema migration \(number) is not the one of this program."
    }
  }
}
