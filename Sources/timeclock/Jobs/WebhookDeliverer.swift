import Logging
import Procedures
import TimeclockAPI
import TimeclockDomain

/// Looks for webhooks with something to send, about once a second, and sends it.
///
/// Several servers on one database do the same: each webhook is one server's at a time. Nothing is sent while the clock is in
/// doubt: attempts would come early, and days would seem to pass after which a webhook is disabled.
struct WebhookDeliverer: Sendable {
  let worker: Worker

  /// The time between two looks.
  private static let interval: Duration = .seconds(1)
  /// The number of webhooks that are served at once, of all organizations and of one; the work that slow receivers may
  /// hold up.
  static let (places, placesOfOrganization) = (8, 2)
  /// The number of webhooks that are looked at: more than two organizations have.
  private static let lookLimit = 100

  init(of timeclock: Timeclock, watch: ClockWatch, via sender: any WebhookSending, logger: Logger) {
    // Of each organization, and of all, which is nil.
    let served = Places<OrganizationKey?>()
    let outage = Outage(of: "sending to webhooks", logger: logger)
    worker = Worker(after: Self.interval) { group in
      guard served.count(of: nil) < Self.places, case .success(let now) = watch.trusted() else {
        return Self.interval
      }
      _ = await outage.note {
        for due in try await timeclock.dueWebhooks(at: now, limit: Self.lookLimit) {
          let limits = [(key: nil, most: Self.places), (due.organization, Self.placesOfOrganization)]
          guard served.take(limits) == nil else { continue }
          group.addTask {
            await Self.deliver(to: due, at: now, of: timeclock, via: sender, logger: logger)
            served.giveBack([nil, due.organization])
          }
        }
      }
      return Self.interval
    }
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
