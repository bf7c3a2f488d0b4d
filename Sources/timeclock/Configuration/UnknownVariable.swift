import FoundationEssentials
import TimeclockDomain

/// A variable of the environment that looks like a setting and is none, most likely a misspelled one.
///
/// The program warns and goes on all the same: the environment is not the service's alone. Kubernetes adds
/// `TIMECLOCK_SERVICE_HOST` and others for a service of the name `timeclock`, and an older program that is put back has to
/// start with the settings of the newer one.
struct UnknownVariable: Equatable {
  /// The variable's name.
  let name: String
  /// The variable of the setting with the most similar name; nil if none is similar.
  let nearest: String?

  /// Returns the unknown variables among `names`, in alphabetical order.
  ///
  /// A variable is unknown if its name begins with `TIMECLOCK_` and is no setting's; the same goes for a name that differs
  /// from a setting's in no more than two letters, or only in capitals. A setting's name is similar that differs in no more
  /// than two letters or a third of those behind the prefix, or that is abbreviated.
  static func all(among names: some Sequence<String>) -> [UnknownVariable] {
    let known = Setting.allCases.map(\.variable)
    return names.sorted().compactMap { name in
      guard !known.contains(name) else { return nil }
      let capitals = name.uppercased()
      let distances = known.map { SimilarNames.distance(from: capitals.utf8, to: $0.utf8) }
      guard let least = distances.min(), let index = distances.firstIndex(of: least) else { return nil }
      guard capitals.hasPrefix("TIMECLOCK_") || least <= 2 else { return nil }
      let word = capitals.dropFirst("TIMECLOCK_".count)
      if least <= 2 { return UnknownVariable(name: name, nearest: known[index]) }
      // An abbreviation is farther from its word than from a short one: DB is nearer to HOST than to DATABASE.
      let abbreviated = known.first {
        let whole = $0.dropFirst("TIMECLOCK_".count)
        return whole.first == word.first && isAbbreviation(word, of: whole)
      }
      return UnknownVariable(
        name: name, nearest: abbreviated ?? (least <= word.utf8.count / 3 ? known[index] : nil))
    }
  }

  /// Warns on standard error of variables of the environment that are misspelled settings, one line each.
  ///
  /// Variables similar to no setting are left out: a command's output is read by programs too, and the server's log has
  /// them.
  static func tellMisspelled() {
    for variable in all(among: ProcessInfo.processInfo.environment.keys) where variable.nearest != nil {
      StandardError.write("warning: \(variable.warning)")
    }
  }

  /// The warning in the log.
  var warning: String {
    let advice = nearest.map { ": \($0) is the nearest" } ?? ""
    return
      "\(Text.quotable(name)) is no setting, and nothing reads it\(advice) (docs/operating.md, \"Settings\")"
  }

  /// Whether all letters of `word` stand in `whole`, in this order.
  private static func isAbbreviation(_ word: Substring, of whole: Substring) -> Bool {
    var rest = whole[...]
    for letter in word {
      guard let index = rest.firstIndex(of: letter) else { return false }
      rest = rest[index...].dropFirst()
    }
    return !word.isEmpty
  }
}
