/// The system's time zone data lacks a zone that was there when its name was stored: an outdated or damaged
/// installation, which no client can help.
package struct MissingTimeZone: Error, Hashable, Sendable {
  /// The zone's name.
  package let name: String

  package init(name: String) {
    self.name = name
  }
}
