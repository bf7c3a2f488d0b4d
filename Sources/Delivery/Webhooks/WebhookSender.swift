import HTTPMessages
import TimeclockDomain

/// Sends messages to webhooks.
///
/// Only addresses of the Internet are connected to, and those that the operator allows: each is judged when libcurl is about
/// to open a socket to it, so a name that is resolved once more, or differently, changes nothing.
package final class WebhookSender: WebhookSending {
  private let addresses: ReachableAddresses
  private let agent: String
  private let poster: Poster

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - allowed: Addresses that are connected to though they are none of the Internet.
  ///   - version: The program's version, which is sent to receivers.
  ///   - threadCount: The number of messages that are under way at once.
  ///   - queueLimit: The number of further ones that may wait.
  package init(allowing allowed: [AddressRange], version: String, threadCount: Int, queueLimit: Int) {
    let addresses = ReachableAddresses(allowing: allowed)
    self.addresses = addresses
    agent = "user-agent: timeclock/\(version)"
    poster = Poster(
      .init(name: "webhooks", threadCount: threadCount, queueLimit: queueLimit) { address in
        addresses.contain(address)
          ? nil : "\(address) is no address of the Internet. The operator may allow it (--webhook-allow)."
      })
  }

  package func send(_ message: WebhookMessage) async throws -> WebhookOutcome {
    guard !ReachableAddresses.isReserved(message.url.host) else {
      let error = "\(message.url.host) is a reserved name, which stands for no machine (RFC 6761)."
      return WebhookOutcome(status: nil, error: error, milliseconds: 0)
    }
    let result = try await poster.post(message.body, to: message.url.text) { [agent] in
      ["content-type: application/json", agent, "expect:"] + message.signedFields
    }
    return WebhookOutcome(
      status: result.status.map(Int64.init), error: result.fault, milliseconds: result.milliseconds)
  }

  package func refusedAddress(in url: WebhookURL) -> String? {
    addresses.refused(url.host)?.description
  }

  /// Gives up sends under way, within about a second, and ends the threads. Call it once; it blocks.
  package func stop() {
    poster.stop()
  }
}
