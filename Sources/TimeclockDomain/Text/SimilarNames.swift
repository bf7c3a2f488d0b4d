/// Finds the name that somebody most likely meant.
package enum SimilarNames {
  /// The known name nearest to one that is not known; nil if none is near, or the name is longer than 64 bytes.
  ///
  /// A name is near that differs in capitals alone, or in at most a third of its letters, and at least in one.
  package static func nearest(to name: String, among known: some Sequence<String>) -> String? {
    guard (1...64).contains(name.utf8.count) else { return nil }
    let wanted = name.lowercased()
    let most = max(1, wanted.utf8.count / 3)
    var found: (name: String, distance: Int)?
    for candidate in known {
      let distance = distance(from: wanted.utf8, to: candidate.lowercased().utf8)
      if distance <= most, distance < found?.distance ?? .max { found = (candidate, distance) }
    }
    return found?.name
  }

  /// The number of letters to insert, remove, replace, or exchange with the next one, to make one name of the other.
  package static func distance(from name: String.UTF8View, to other: String.UTF8View) -> Int {
    let (name, other) = (Array(name), Array(other))
    var rows = [Array(0...other.count)]
    for i in name.indices {
      var row = [i + 1]
      for j in other.indices {
        let replaced = rows[i][j] + (name[i] == other[j] ? 0 : 1)
        var least = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, name[i] == other[j - 1], name[i - 1] == other[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[name.count][other.count]
  }
}
