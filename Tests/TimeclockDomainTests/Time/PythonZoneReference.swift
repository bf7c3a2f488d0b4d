import Foundation

/// Offsets as Python's `zoneinfo` computes them from the same files, for instants that Python chooses.
enum PythonZoneReference {
  private static let python = "/usr/bin/python3"

  /// Why there is nothing to compare with.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  struct ZoneOffsets: Sendable {
    let name: String
    /// Seconds since 1970, in 1900 to 2100.
    let seconds: [Int64]
    /// Seconds east of UTC at each of them.
    let offsets: [Int64]
  }

  /// For each of `SystemZones.names`: one second before, at and after every change of the offset, every six
  /// hours of a month, and 400 instants drawn by a seeded generator.
  ///
  /// - Throws: `Missing` if Python is not there, or fails.
  static func zones() throws -> [ZoneOffsets] { split(try run()) }

  private static func run() throws -> [Int64] {
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw Missing(
        description: "\(python) is not installed: it is needed to compare zones (package python3)")
    }
    guard !SystemZones.names.isEmpty else {
      throw Missing(description: "\(SystemZones.directory) lists no zones (package tzdata)")
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", script, SystemZones.directory] + SystemZones.names
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Missing(description: "\(python) failed to read the zones in \(SystemZones.directory)")
    }
    return data.withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
  }

  private static func split(_ numbers: [Int64]) -> [ZoneOffsets] {
    var rest = numbers[...]
    return SystemZones.names.compactMap { name in
      guard let count = rest.popFirst().map(Int.init), rest.count >= 2 * count else { return nil }
      defer { rest = rest.dropFirst(2 * count) }
      return ZoneOffsets(
        name: name, seconds: Array(rest.prefix(count)), offsets: Array(rest.dropFirst(count).prefix(count)))
    }
  }

  /// Finds listed changes by reading the file itself and ruled ones by bisection, so that a change which the
  /// tested reader misses is looked at all the same.
  private static let script = #"""
    import array, datetime, random, struct, sys, zoneinfo

    directory, names = sys.argv[1], sys.argv[2:]
    zoneinfo.reset_tzpath(to=[directory])
    epoch = datetime.datetime(1970, 1, 1)
    first, last = -2208988800, 4133980800
    step = 30 * 86400

    def offset(zone, seconds):
        utc = epoch + datetime.timedelta(seconds=seconds)
        difference = zone.fromutc(utc.replace(tzinfo=zone)).replace(tzinfo=None) - utc
        return difference.days * 86400 + difference.seconds

    def listed_changes(name):
        with open(directory + "/" + name, "rb") as file:
            data = file.read()
        utc, standard, leaps, times, types, characters = struct.unpack(">6l", data[20:44])
        second = 44 + times * 5 + types * 6 + characters + leaps * 8 + standard + utc
        times = struct.unpack(">l", data[second + 32 : second + 36])[0]
        listed = struct.unpack(">%dq" % times, data[second + 44 : second + 44 + 8 * times])
        return [change for change in listed if first <= change < last]

    def bisect(zone, low, high):
        before = offset(zone, low)
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == before:
                low = middle
            else:
                high = middle
        return high

    def ruled_changes(zone, begin):
        samples = range(begin, last, step)
        offsets = [offset(zone, sample) for sample in samples]
        pairs = [i for i in range(1, len(samples)) if offsets[i] != offsets[i - 1]]
        return [bisect(zone, samples[i - 1], samples[i]) for i in pairs]

    numbers = array.array("q")
    for seed, name in enumerate(names):
        zone = zoneinfo.ZoneInfo(name)
        generator = random.Random(seed)
        changes = listed_changes(name)
        changes += ruled_changes(zone, max([first] + changes))
        instants = [change + near for change in changes for near in (-1, 0, 1)]
        instants += [generator.randrange(first, last) for _ in range(400)]
        start = generator.randrange(first, last)
        instants += [start + 6 * 3600 * i for i in range(120)]
        numbers.append(len(instants))
        numbers.extend(instants)
        numbers.extend(offset(zone, instant) for instant in instants)
    numbers.tofile(sys.stdout.buffer)
    """#
}
