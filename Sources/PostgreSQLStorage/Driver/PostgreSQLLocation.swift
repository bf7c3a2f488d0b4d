import CPostgreSQL

/// The location of a database, in any form that libpq reads: a URI or keywords and values
/// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING). It may hold a password, so it is never printed.
package struct PostgreSQLLocation: Sendable {
  let conninfo: String
  let hosts: HostList
  /// Whether sessions only read, and prefer a standby if there are several hosts.
  package var isReadOnly = false

  /// - Throws: `PostgreSQLStorageError.malformedLocation` for text that libpq cannot read, or reads as something hardly
  ///   meant.
  package init(_ conninfo: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(conninfo, &message)
    defer {
      PQconninfoFree(options)
      PQfreemem(message)
    }
    guard let options else {
      throw PostgreSQLStorageError.malformedLocation(Self.reason(ConnectionMessage.line(message)))
    }
    // The text after one of these characters in a password would become the host or the port, and be printed.
    if Self.value("host", options).dropFirst().contains("@") {
      throw PostgreSQLStorageError.malformedLocation(
        "the host has an @; in a URI write special characters of a password percent-encoded")
    }
    let ports = Self.value("port", options).split(separator: ",")
    if ports.contains(where: { UInt16($0) ?? 0 == 0 }) {
      throw PostgreSQLStorageError.malformedLocation(
        "the port is none from 1 to 65535; in a URI write special characters of a password percent-encoded")
    }
    hosts = HostList(
      hosts: Self.value("host", options), addresses: Self.value("hostaddr", options),
      ports: Self.value("port", options))
    self.conninfo = conninfo
  }

  /// libpq's word for why, if it names no more than a keyword: others repeat a part of the location, which may be the
  /// password.
  private static func reason(_ message: String) -> String {
    let namesKeyword = ["invalid connection option ", "invalid URI query parameter: "].contains {
      message.hasPrefix($0) && isKeyword(message.dropFirst($0.count))
    }
    return namesKeyword
      ? message
      : "it is no URI and no keywords and values; quote values with spaces, and in a URI write special characters "
        + "percent-encoded"
  }

  /// Whether text is a word in quotes as keywords are words. Of a URI that lacks a slash, libpq takes all before its
  /// first `=` for a keyword, and a password is in there.
  private static func isKeyword(_ text: Substring) -> Bool {
    let word = text.utf8.dropFirst().dropLast()
    return text.hasPrefix("\"") && text.hasSuffix("\"") && (1...40).contains(word.count)
      && word.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") }
  }

  private static func value(_ keyword: String, _ options: UnsafeMutablePointer<PQconninfoOption>) -> String {
    var option = options
    while let name = option.pointee.keyword {
      if String(cString: name) == keyword { return option.pointee.val.map { String(cString: $0) } ?? "" }
      option += 1
    }
    return ""
  }
}

/// The reasons why a database cannot be opened. Each description is one line for the operator of the program.
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
  /// The database was made by a build from before version 0.1, and is left as it is.
  case schemaIsUnreleased
  /// A migration that the database went through is not the one that this program has.
  case migrationDiffers(number: Int64)
  /// A pooler gives a session to other clients after each transaction.
  case sessionsAreShared
  /// Row-level security does not hold the role, and it is required to.
  case rowSecurityIsBypassed

  package var description: String {
    switch self {
    case .malformedLocation(let reason):
      "The location of the PostgreSQL database cannot be read: \(reason)."
    case .cannotConnect(let reason):
      "The PostgreSQL database cannot be used (check --database, and the server): \(reason)"
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
    case .schemaIsUnreleased:
      """
      The database was made by a build from before version 0.1, whose schema this program does not take over. Nothing was \
      done to it: serve it with that build (docs/backing-up.md).
      """
    case .migrationDiffers(let number):
      "The database's schema migration \(number) is not the one of this program: use the one that made it."
    case .sessionsAreShared:
      """
      A pooler before the PostgreSQL database shares sessions: have it pool sessions (PgBouncer's pool_mode = session) and no \
      transactions, or give --database the server's own address.
      """
    case .rowSecurityIsBypassed:
      """
      Row-level security does not hold the database's role: connect as one that is no superuser and has no BYPASSRLS, \
      or leave --require-row-security out.
      """
    }
  }
}
