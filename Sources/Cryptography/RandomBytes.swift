import Glibc

/// Bytes that nobody can guess, from the kernel.
package enum RandomBytes {
  /// Makes bytes by one system call, where Swift's generator takes one for each eight (getentropy(3)).
  ///
  /// - Parameter count: At most 256.
  package static func make(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
      precondition(getentropy(bytes.baseAddress, count) == 0, "The kernel gives no random bytes.")
      written = count
    }
  }
}
