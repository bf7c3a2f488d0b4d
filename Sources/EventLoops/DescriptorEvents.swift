/// The events of a descriptor, to wait for or reported, in the bits of epoll_ctl(2).
///
/// It is no `OptionSet`, because generic methods of that are not specialized across modules, and every request uses these
/// events several times.
package struct DescriptorEvents: Hashable, Sendable {
  package let rawValue: UInt32

  @inlinable
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable package static var none: DescriptorEvents { DescriptorEvents(rawValue: 0) }
  /// EPOLLIN.
  @inlinable package static var readable: DescriptorEvents { DescriptorEvents(rawValue: 0x01) }
  /// EPOLLOUT.
  @inlinable package static var writable: DescriptorEvents { DescriptorEvents(rawValue: 0x04) }
  /// EPOLLERR and EPOLLHUP, which are always reported.
  @inlinable package static var broken: DescriptorEvents { DescriptorEvents(rawValue: 0x18) }

  /// Both.
  @inlinable
  package static func | (left: DescriptorEvents, right: DescriptorEvents) -> DescriptorEvents {
    DescriptorEvents(rawValue: left.rawValue | right.rawValue)
  }

  /// Whether any of the other events is among these.
  @inlinable
  package func has(_ others: DescriptorEvents) -> Bool {
    rawValue & others.rawValue != 0
  }

  @inlinable
  package static func == (left: DescriptorEvents, right: DescriptorEvents) -> Bool {
    left.rawValue == right.rawValue
  }
}
