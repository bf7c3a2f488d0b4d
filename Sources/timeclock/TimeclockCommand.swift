import ArgumentParser

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
      CopyCommand.self,
      CheckHealth.self,
    ])
}
