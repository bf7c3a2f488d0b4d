import ArgumentParser
import SQLiteStorage

/// The program: `timeclock serve` and the commands around it.
@main
struct TimeclockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeclock",
    abstract: "A self-hosted time clock for organizations.",
    discussion:
      "Every option can also be set by an environment variable, named with it below; the option wins.",
    version: Version.text,
    subcommands: [
      Serve.self, OrganizationCommand.self, MemberCommand.self, TokenCommand.self, ImportCommand.self,
      AuditCommand.self, VerifyCommand.self,
      BackupCommand.self, RestoreCommand.self,
      CopyCommand.self, DirectoryCommand.self,
      CheckHealth.self,
    ])

  /// Runs the command, and ends the process if it fails. Every command but the server, whose log has them, first warns
  /// of misspelled settings.
  static func main() async {
    do {
      var command = try await asyncParseAsRoot()
      if !(command is Serve) { UnknownVariable.tellMisspelled() }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as CommandError {
      StandardError.write("Error: \(error)")
      exit(withError: ExitCode(error.status))
    } catch let error as SQLiteStorageError where error.needsPerson {
      StandardError.write("Error: \(error)")
      exit(withError: ExitCode(CommandError.data))
    } catch {
      exit(withError: error)
    }
  }
}
