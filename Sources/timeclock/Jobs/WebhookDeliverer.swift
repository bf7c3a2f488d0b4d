import Logging
import Synchronization
import TimeclockAPI
import TimeclockDomain

/// Looks for webhooks with something to send, about once a second, and sends it, until it is stopped.
///
/// Several servers on one database do the same: each webhook is one server's at a time. Nothing is sent while the clock is in
/// doubt: attempts would come early, and days would seem to pass after which a webhook is disabled.
struct WebhookDeliverer: Sendable {
  private let task: Task<Void, Never>

  /// The time between two looks.
  private static let interval: Duration = .seconds(1)
  /// The number of webhooks that are served at once, of all organizations and of one; the work that slow receivers may
  /// hold up.
  static let (places, placesOfOrganization) = (8, 2)
  /// The number of webhooks that are looked at: more than two organizations have.
  private static let lookLimit = 100

  init(of timeclock: Timeclock, watch: ClockWatch, via sender: any WebhookSending, logger: Logger) {
    task = Task {
      await withDiscardingTaskGroup { group in
        let served = ServedOrganizations()
        var hasFailed = false
        while (try? await Task.sleep(for: Self.interval)) != nil {
          guard served.hasRoom, case .success(let now) = watch.trusted() else { continue }
          do {
            for due in try await timeclock.dueWebhooks(at: now, limit: Self.lookLimit)
            where served.take(due.organization) {
              group.addTask {
                await Self.deliver(to: due, at: now, of: timeclock, via: sender, logger: logger)
                served.giveBack(due.organization)
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

  /// Sends nothing more, and waits for sends under way.
  func stop() async {
    task.cancel()
    await task.value
  }

  private static func deliver(
    to due: DueWebhook, at now: TrustedInstant, of timeclock: Timeclock, via sender: any WebhookSending,
    logger: Logger
  ) async {
    do {
      let isDisabled = try await timeclock.deliver(to: due, at: now, via: sender) {
        change, epoch, organization, now in
        change.webhookMessage(of: organization, in: epoch, at: now)
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

/// The organizations whose webhooks are being served, each as often as it is.
private final class ServedOrganizations: Sendable {
  private let counts = Mutex<[OrganizationKey: Int]>([:])

  var hasRoom: Bool { counts.withLock { $0.values.reduce(0, +) } < WebhookDeliverer.places }

  /// Takes a place for one more webhook; false if there is none, or the organization has its share.
  func take(_ organization: OrganizationKey) -> Bool {
    counts.withLock { counts in
      guard counts.values.reduce(0, +) < WebhookDeliverer.places,
        counts[organization, default: 0] < WebhookDeliverer.placesOfOrganization
      else { return false }
      counts[organization, default: 0] += 1
      return true
    }
  }

  func giveBack(_ organization: OrganizationKey) {
    counts.withLock { counts in
      counts[organization, default: 1] -= 1
      if counts[organization] == 0 { counts[organization] = nil }
    }
  }
}
