import Glibc

/// The process's file descriptors: one a connection, and some for the database.
enum OpenFiles {
  /// How many descriptors connections must leave free.
  static let reserve = 96

  /// Takes as many as the system allows, where a shell's default is a thousand (getrlimit(2)).
  ///
  /// - Returns: How many there may be; at least one more than the reserve.
  static func raiseLimit() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return reserve + 1 }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    getrlimit(resource, &limit)
    return max(reserve + 1, Int(clamping: limit.rlim_cur))
  }
}
