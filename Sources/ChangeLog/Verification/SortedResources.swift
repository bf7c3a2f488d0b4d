import TimeclockDomain

/// Resources of one organization, all in memory: for kinds that have few resources and no index by their ids.
package struct SortedResources {
  private let resources: [Snapshot]

  package init(_ resources: [Snapshot]) {
    self.resources = resources.sorted { $0.resourceID.isBefore($1.resourceID) }
  }

  /// Returns the first resources after an id, as `AuditedDatabase.resources` does.
  package func page(after id: ResourceID?, limit: Int) -> [Snapshot] {
    guard let id else { return Array(resources.prefix(limit)) }
    var (low, high) = (0, resources.count)
    while low < high {
      let middle = (low + high) / 2
      if id.isBefore(resources[middle].resourceID) { high = middle } else { low = middle + 1 }
    }
    return Array(resources[low...].prefix(limit))
  }
}
