import FoundationEssentials
import Glibc

/// The code that only starting needs: parsing arguments by reflection, dynamic linking, migrations.
enum StartupMemory {
  /// Lets go of the resident pages of all code, half of the process's memory. What is still used comes back
  /// from the system's page cache with its next use, a few dozen soft page faults.
  ///
  /// Only mappings of files that are executable and not writable are named: their pages are never written,
  /// not even by the dynamic linker, so nothing is lost (madvise(2), MADV_DONTNEED).
  static func release() {
    guard let maps = FileManager.default.contents(atPath: "/proc/self/maps") else { return }
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8), fields[5].first == UInt8(ascii: "/")
      else { continue }
      let bounds = fields[0].split(separator: UInt8(ascii: "-")).map {
        UInt(String(decoding: $0, as: UTF8.self), radix: 16)
      }
      guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
    }
  }
}
