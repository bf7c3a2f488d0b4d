/// The protocol versions the server speaks (RFC 9112, section 2.3).
package enum HTTPVersion: Sendable {
  case http10
  case http11
}
