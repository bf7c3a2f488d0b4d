import Glibc

/// The process's file descriptors: one a connection.
enum OpenFiles {
  /// Takes as many as the system allows, where a shell's default is a thousand (getrlimit(2)).
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
