import ArgumentParser
import Credentials
import Procedures
import TimeclockDomain

extension DatabaseOptions {
  /// Opens the database, works on it, and closes it.
  ///
  /// On PostgreSQL, servers may run at the same time, and are notified. An SQLite file belongs to one process.
  ///
  /// - Parameter advice: The sentences that name alternatives if a server holds the database.
  /// - Throws: `CommandError` if the database cannot be opened, or a rule refuses; any error of `work`.
  func withTimeclock<Value: Sendable>(
    whenInUse advice: String, _ work: (Timeclock) async throws -> Value
  ) async throws -> Value {
    let storage = try location().open(
      patience: .seconds(5), whenInUse: advice, whenWaiting: StandardError.write,
      report: { StandardErrorLog.shared.append("database: \($0)", level: .error) },
      onFailure: {})
    defer { StandardErrorLog.shared.finish() }
    let result: Result<Value, any Error>
    do {
      result = .success(try await work(Timeclock(storage: storage)))
    } catch let error as TimeclockError {
      result = .failure(CommandError(error))
    } catch {
      result = .failure(error)
    }
    await storage.close()
    return try result.get()
  }

  /// Does a task as `lines(of:)`, and prints its lines.
  func perform(_ task: OperatorTask) async throws {
    for line in try await lines(of: task) { print(line) }
  }

  /// Does a task on the database, or has the server do it that holds an SQLite file.
  ///
  /// - Returns: The lines to print.
  /// - Throws: `CommandError` if the database cannot be opened, or a rule refuses.
  func lines(of task: OperatorTask) async throws -> [String] {
    do {
      return try await withTimeclock(whenInUse: "") {
        try await task.perform(on: $0) { try PasswordHasher() }
      }
    } catch let error as CommandError {
      guard let path = error.heldDatabase else { throw error }
      return try ControlSocket.perform(task, onDatabase: path)
    }
  }
}

extension CommandError {
  /// A rule that refuses.
  init(_ error: TimeclockError) { self.init("\(error.code): \(error.detail)") }
}

/// The option that names an organization.
struct OrganizationOption: ParsableArguments {
  @Option(help: "The organization's id, or its name if only one has it.")
  var organization: String
}

/// The options that name a member.
struct MemberOptions: ParsableArguments {
  @OptionGroup var named: OrganizationOption

  @Option(help: "The member's e-mail address.")
  var email: String

  /// The member that the options name.
  var member: OperatorTask.NamedMember {
    OperatorTask.NamedMember(organization: named.organization, email: email)
  }
}
