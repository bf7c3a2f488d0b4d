import Foundation
import Testing

@testable import ContractDocument

/// The storage of a service, and the way in which it is reached.
struct ServiceKind: Hashable, CaseIterable, Sendable, CustomTestStringConvertible {
  var storage: StorageKind
  var transport: TransportKind

  /// SQLite over a socket, as most people run it, and PostgreSQL in process: each storage and each transport once.
  /// SQLite in process if `TIMECLOCK_TEST_QUICK` is 1; with `TIMECLOCK_TEST_SERVICES`, such as `elsewhere, sqlite`, a
  /// storage over the other transport.
  static let allCases: [ServiceKind] = {
    let environment = ProcessInfo.processInfo.environment
    let sqlite = ServiceKind(storage: .sqlite, transport: .inProcess)
    if environment["TIMECLOCK_TEST_QUICK"] == "1" { return [sqlite] }
    switch environment["TIMECLOCK_TEST_SERVICES"] {
    case "elsewhere, sqlite": return [sqlite]
    case "elsewhere, postgresql": return [ServiceKind(storage: .postgreSQL, transport: .socket)]
    default:
      return [
        ServiceKind(storage: .sqlite, transport: .socket),
        ServiceKind(storage: .postgreSQL, transport: .inProcess),
      ]
    }
  }()

  var testDescription: String { "\(storage.rawValue), \(transport.rawValue)" }
}
