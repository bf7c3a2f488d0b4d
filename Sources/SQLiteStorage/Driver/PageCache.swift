import FoundationEssentials
import Glibc

/// How much of the database a connection may keep in memory, in KiB.
enum PageCache {
  /// Of connections that each read whole pages of a report or an export once.
  static let ofLongReads = 2_048

  /// Of connections for short reads, of which an event loop has one: a 64th of the machine's memory, 2 to 64 MB. It
  /// fills with pages read, so an idle service has none of it; a commit empties it.
  static let ofShortReads = kibibytes(
    ofMachine: sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)),
    controlGroup: try? String(contentsOfFile: "/sys/fs/cgroup/memory.max", encoding: .utf8))

  /// - Parameters:
  ///   - machine: The machine's memory in bytes.
  ///   - controlGroup: The content of a container's `memory.max`: bytes, or `max`
  ///     (docs.kernel.org/admin-guide/cgroup-v2.html, "Memory Interface Files").
  static func kibibytes(ofMachine machine: Int, controlGroup: String?) -> Int {
    let limit = controlGroup.flatMap { Int($0.prefix(while: \.isNumber)) } ?? .max
    return min(max(min(machine, limit) / 64 / 1_024, 2_048), 65_536)
  }
}
