/// The languages of the service's pages, by their tags (RFC 5646).
package enum Language: String, CaseIterable, Sendable {
  case en
  case de
  case es
  case fr
}
