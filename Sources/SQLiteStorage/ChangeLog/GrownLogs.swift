import TimeclockDomain

/// The organizations whose logs the open transaction adds to, to be announced after its commit. Used by the writer's
/// thread only.
final class GrownLogs {
  private let bus: ChangeBus
  private var organizations: Set<OrganizationKey> = []

  init(announcingOn bus: ChangeBus) {
    self.bus = bus
  }

  /// Notes that the organization's log has grown. A write that is undone may have noted one for nothing.
  func note(_ organization: OrganizationKey) {
    // A listener that comes between this and the commit begins behind the commit.
    guard bus.isHeard else { return }
    organizations.insert(organization)
  }

  /// Announces the changes that the commit has made visible.
  func announce() {
    guard !organizations.isEmpty else { return }
    for organization in organizations { bus.announce(organization) }
    organizations.removeAll()
  }

  /// Forgets changes that were rolled back.
  func drop() {
    organizations.removeAll()
  }
}
