import Foundation

/// Runs programs and waits for them. Foundation's `Process` waits until the descriptors handed to its child are closed,
/// and a server that the child starts holds them for ever.
enum ChildProcess {
  /// Runs a program by its path.
  ///
  /// - Returns: Its standard output and standard error, without the last line ends.
  /// - Throws: `ClusterError` if it does not end with 0.
  static func run(_ command: [String]) throws -> String {
    let output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { unlink(output) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The server must not hold other tests' files: Foundation's `Process` there would wait for its end.
    for descriptor in 3..<min(8_192, Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))) {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    let arguments = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let code = posix_spawn(&child, command[0], &actions, nil, arguments + [nil], environ)
    guard code == 0 else { throw ClusterError("\(command[0]) does not start: errno \(code)") }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    guard status == 0 else {
      throw ClusterError("\(command.joined(separator: " ")): status \(status): \(text)")
    }
    return text
  }
}
