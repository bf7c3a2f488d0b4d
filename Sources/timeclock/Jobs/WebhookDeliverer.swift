import Logging
import Synchronization
import TimeclockAPI
import TimeclockDomain

/// Looks for webhooks with something to send, about once a second, and sends it, until it is stopped.
///
/// Several servers on one database do the same: each webhook is one server's at a time.
struct WebhookDeliverer: Sendable {
  private let task: Task<Void, Never>

  /// The time between two looks.
  private static let interval: Duration = .seconds(1)
  /// The number of webhooks that are served at once; what their receivers' slowness may hold up.
  static let places = 8

  init(of timeclock: Timeclock, via sender: any WebhookSending, logger: Logger) {
    task = Task {
      await withDiscardingTaskGroup { group in
        let free = FreePlaces(Self.places)
        var hasFailed = false
        while (try? await Task.sleep(for: Self.interval)) != nil {
          let count = free.count.withLock { $0 }
          guard count > 0 else { continue }
          do {
            for due in try await timeclock.dueWebhooks(limit: count) {
              free.count.withLock { $0 -= 1 }
              group.addTask {
                await Self.deliver(to: due, of: timeclock, via: sender, logger: logger)
                free.count.withLock { $0 += 1 }
              }
            }
            if hasFailed { logger.notice("sending to webhooks: works again") }
            hasFailed = false
          } catch {
            if !hasFailed { logger.error("sending to webhooks: failed, and is tried again: \(error)") }
            hasFailed = true
          }
        }
        group.cancelAll()
      }
    }
  }

  /// Sends nothing more.
  func cancel() {
    task.cancel()
  }

  /// Sends nothing more, and waits for what is under way.
  func stop() async {
    task.cancel()
    await task.value
  }

  private static func deliver(
    to due: DueWebhook, of timeclock: Timeclock, via sender: any WebhookSending, logger: Logger
  ) async {
    do {
      let isDisabled = try await timeclock.deliver(to: due, via: sender) { change, organization, now in
        change.webhookMessage(of: organization, at: now)
      }
      if isDisabled {
        logger.warning(
          "webhook \(due.webhook.id) of organization \(due.webhook.organizationID): disabled, nobody takes its messages"
        )
      }
    } catch {
      guard !Task.isCancelled else { return }
      logger.error("webhook \(due.webhook.id): waits half a minute: \(error)")
    }
  }
}

/// The number of webhooks that may be served besides those that are.
private final class FreePlaces: Sendable {
  let count: Mutex<Int>

  init(_ count: Int) {
    self.count = Mutex(count)
  }
}
