import Credentials
import Foundation
import HTTPMessages
import Logging
import Procedures
import TimeclockAPI
import TimeclockDomain

/// One running service with a separate storage.
struct Service: Sendable {
  let transport: any Transport
  /// With the faults of `faults`.
  let storage: any Storage
  let faults: Faults
  let clock: ManualClock
  let operatorToken: String
  let kind: ServiceKind
  /// The API on the same storage, with another edge.
  let makeAPI: @Sendable (EdgeConfiguration) -> TimeclockAPI
  /// Stops the service and removes its data.
  let stop: @Sendable () async -> Void
}
