import Foundation
import Testing

/// The storage of a service, and the way in which it is reached.
struct ServiceKind: Hashable, CaseIterable, Sendable, CustomTestStringConvertible {
  var storage: StorageKind
  var transport: TransportKind

  /// Every storage with every transport; SQLite in process where `TIMECLOCK_TEST_QUICK` is 1.
  static let allCases =
    ProcessInfo.processInfo.environment["TIMECLOCK_TEST_QUICK"] == "1"
    ? [ServiceKind(storage: .sqlite, transport: .inProcess)]
    : StorageKind.allCases.flatMap { storage in
      TransportKind.allCases.map { ServiceKind(storage: storage, transport: $0) }
    }

  var testDescription: String { "\(storage.rawValue), \(transport.rawValue)" }
}
