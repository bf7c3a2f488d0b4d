import Testing

/// What a service keeps its data in, and how it is reached.
struct ServiceKind: Hashable, CaseIterable, Sendable, CustomTestStringConvertible {
  var storage: StorageKind
  var transport: TransportKind

  static let allCases = StorageKind.allCases.flatMap { storage in
    TransportKind.allCases.map { ServiceKind(storage: storage, transport: $0) }
  }

  var testDescription: String { "\(storage.rawValue), \(transport.rawValue)" }
}
