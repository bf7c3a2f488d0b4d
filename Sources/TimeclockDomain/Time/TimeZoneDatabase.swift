import FoundationEssentials
import Synchronization

/// The time zones of a directory of TZif files, as the system's package `tzdata` installs them.
package final class TimeZoneDatabase: Sendable {
  private let directory: String
  // Holds only zones that exist, so that names made up by clients cannot fill it.
  private let zones = Mutex<[TimeZoneIdentifier: Zone]>([:])

  /// A database that reads each zone's file when it is first asked for, and keeps it until the process ends.
  package init(directory: String = "/usr/share/zoneinfo") {
    self.directory = directory
  }

  /// The zone of a name, spelled exactly as its file; nil when there is none or its file is not sound.
  package func zone(_ identifier: TimeZoneIdentifier) -> Zone? {
    if let zone = zones.withLock({ $0[identifier] }) { return zone }
    guard let zone = load(identifier) else { return nil }
    return zones.withLock { zones in
      // Another thread may have read the same file meanwhile: all get one and the same zone.
      if let first = zones[identifier] { return first }
      zones[identifier] = zone
      return zone
    }
  }

  private func load(_ identifier: TimeZoneIdentifier) -> Zone? {
    guard Self.isNameOfZone(identifier.name),
      let contents = FileManager.default.contents(atPath: "\(directory)/\(identifier.name)")
    else { return nil }
    return Zone(identifier: identifier, tzif: [UInt8](contents))
  }

  /// TZif files that are no zones of their own: the machine's setting, a template, and second copies.
  private static func isNameOfZone(_ name: String) -> Bool {
    name != "localtime" && name != "posixrules" && !name.hasPrefix("posix/") && !name.hasPrefix("right/")
  }
}
