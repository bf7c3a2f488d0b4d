import Foundation
import TimeclockDomain

/// The zones of the machine that runs the tests.
enum SystemZones {
  static let directory = "/usr/share/zoneinfo"
  static let database = TimeZoneDatabase(directory: directory)

  /// Every zone and every alias that `tzdata.zi` defines, in its order.
  static let names: [String] = {
    let source = (try? String(contentsOfFile: "\(directory)/tzdata.zi", encoding: .utf8)) ?? ""
    return source.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      switch words.first {
      case "Z" where words.count > 1: return String(words[1])
      case "L" where words.count > 2: return String(words[2])
      default: return nil
      }
    }
  }()

  /// The names of `zone1970.tab`, the zones that people choose from.
  static let tabulatedNames: [String] = {
    let source = (try? String(contentsOfFile: "\(directory)/zone1970.tab", encoding: .utf8)) ?? ""
    return source.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: "\t").dropFirst(2).first.map(String.init) }
  }()

  /// The zones of `names`, one for each different file, so that long tests need not repeat aliases.
  static let distinctZones: [Zone] = {
    var seen: Set<Data> = []
    return names.compactMap { name in
      guard let contents = FileManager.default.contents(atPath: "\(directory)/\(name)"),
        seen.insert(contents).inserted
      else { return nil }
      return zone(name)
    }
  }()

  static func zone(_ name: String) -> Zone? {
    TimeZoneIdentifier(name).flatMap { database.zone($0) }
  }

  static func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: "\(directory)/\(name)").map { [UInt8]($0) } ?? []
  }
}
