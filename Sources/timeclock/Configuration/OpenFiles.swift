import Glibc

/// The process's file descriptors: one for each connection, and some for the database.
enum OpenFiles {
  /// The number of descriptors that connections must leave free, besides those of long content.
  static let reserve = 96

  /// Raises the limit to the most that the system allows; a shell's default is a thousand (getrlimit(2)).
  ///
  /// - Returns: The new limit, at least one more than the reserve.
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
