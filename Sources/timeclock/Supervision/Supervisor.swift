import CLinux
import Glibc

/// The program that has started this one and wants to know how it is: systemd, or a program with its protocol
/// (sd_notify(3)).
struct Supervisor: Sendable {
  /// The address of its socket: a path, or an abstract address behind an `@`.
  private let address: String
  /// The time in which it wants a sign of life, in nanoseconds; nil if it wants none.
  let watchdogNanoseconds: Int?

  /// Returns the supervisor that the environment names; nil if it names none.
  init?() {
    guard let address = Self.variable("NOTIFY_SOCKET"), address.hasPrefix("/") || address.hasPrefix("@")
    else {
      return nil
    }
    self.address = address
    let isForUs = Self.variable("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
    let microseconds = Self.variable("WATCHDOG_USEC").flatMap { Int($0) } ?? 0
    watchdogNanoseconds = isForUs && microseconds > 0 ? microseconds * 1_000 : nil
  }

  /// Reports the program's state, in one line.
  func tell(status: String) { send("STATUS=\(status)") }

  /// Says that the program serves.
  func tellReady(status: String) { send("READY=1\nSTATUS=\(status)") }

  /// Says that the program is about to end.
  func tellStopping(status: String) { send("STOPPING=1\nSTATUS=\(status)") }

  /// Gives a sign of life.
  func tellAlive() { send("WATCHDOG=1") }

  /// Sends a message. Nothing can be done for a supervisor that does not take it.
  private func send(_ message: String) {
    _ = linux_send_local_datagram(address, message, UInt32(message.utf8.count))
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
