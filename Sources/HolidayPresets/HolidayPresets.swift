import TimeclockDomain

/// The public holidays of countries and their parts, as the program knows them since it was built.
///
/// They come from the PyPI package `holidays`, by `scripts/list-holidays`. Holidays of a law that came later, and those of
/// single towns, are not among them.
package enum HolidayPresets {
  /// A country, or a part of one.
  package struct Preset: Hashable, Sendable {
    /// The code of the country (ISO 3166-1), with a hyphen and the package's code of the part behind it, which is mostly that
    /// of ISO 3166-2: `US`, `DE-BY`. ASCII, at most 33 letters, digits and hyphens.
    package let id: String
    /// The country in English; of a part, its name in the language of the country behind a comma.
    package let name: String
    /// The last year that the program knows its holidays of.
    package let lastYear: Int
  }

  /// All presets, by the bytes of their ids.
  package static var all: [Preset] { HolidayPresetList.embedded.presets }

  /// Returns the holidays of a preset in a year, by date, with names in a language of the country, several on one date with
  /// ` / ` between them, and 50 percent for half a day; nil for an unknown id, and for a year of which the program does not
  /// know the preset's holidays.
  package static func holidays(of id: String, in year: Int) -> [StatedHoliday]? {
    let holidays = HolidayPresetList.embedded.holidays(of: id).filter { $0.date.year == year }
    return holidays.isEmpty ? nil : holidays
  }
}
