import Synchronization
import TimeclockAPI
import TimeclockDomain

@testable import ContractDocument

/// A receiver of webhooks, which takes some messages and fails then.
final class Receiver: WebhookSending {
  private struct State {
    var received: [(id: String, body: JSONValue)] = []
    var places: Int
  }

  private let state: Mutex<State>
  private let failure: Int64

  init(taking count: Int, failing status: Int64 = 500) {
    state = Mutex(State(places: count))
    failure = status
  }

  var ids: [String] { state.withLock { $0.received.map(\.id) } }
  var messages: [JSONValue] { state.withLock { $0.received.map(\.body) } }

  func takes(_ count: Int) {
    state.withLock { $0.places = count }
  }

  func refusedAddress(in url: WebhookURL) -> String? { nil }

  func send(_ message: WebhookMessage) async throws -> WebhookOutcome {
    let body = try JSONParser.parse(message.body)
    let isTaken = state.withLock { state in
      state.received.append((message.id, body))
      state.places -= 1
      return state.places >= 0
    }
    return WebhookOutcome(status: isTaken ? 200 : failure, error: nil, milliseconds: 3)
  }
}
