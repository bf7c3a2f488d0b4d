/// The meaning of a frame's content (RFC 6455, section 11.8). All other numbers are reserved.
enum WebSocketOpcode: UInt8 {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  var isControl: Bool { rawValue >= Self.close.rawValue }
}
