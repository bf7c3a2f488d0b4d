import ArgumentParser
import DatabaseCopy
import PostgreSQLStorage
import Procedures
import TimeclockDomain

/// `timeclock organization move`: moves an organization from one cell into another.
struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move an organization into another PostgreSQL database that is served too.",
    discussion: """
      Servers of both run on. The organization is closed to writes (503 organization_moving) until the other database has all \
      of it, compared and verified; from then on it is answered 421 organization_moved with the address. Run the command again \
      if it was interrupted at any point. Log-ins stay behind: people log in again with the same password. Prints one JSON \
      object with organizationID, address, and the rows and the checksum of what this run has copied.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("The database to move it to, as in --database.", valueName: "location"))
  var to: String

  @OptionGroup var named: OrganizationOption

  @Option(
    help: ArgumentHelp(
      "Where the other database is served, such as https://two.clock.example.com.", valueName: "address"))
  var address: String

  @Flag(help: "Open the organization here again, if the other database does not have it yet.")
  var abandon = false

  @Flag(
    help:
      "Delete what the organization, once it has moved, has left here: its clients are answered 401 from then on."
  )
  var clear = false

  func validate() throws {
    guard !(abandon && clear) else { throw ValidationError("--abandon and --clear exclude each other.") }
    let hasScheme = ["https://", "http://"].contains { address.hasPrefix($0) && address.count > $0.count }
    guard hasScheme, address.utf8.count <= 2_048, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !address.contains(where: { "\"\\".contains($0) })
    else {
      throw ValidationError("The address is not one: https:// and a name.")
    }
  }

  func run() async throws {
    guard case .postgreSQL(let source) = try database.location(),
      case .postgreSQL(let target) = try DatabaseLocation(to)
    else {
      throw CommandError(
        usage: "Organizations move from one PostgreSQL database to another: see timeclock copy.")
    }
    let move = try OrganizationMove(named.organization, from: source, to: target)
    defer { move.close() }
    if abandon || clear {
      if abandon { try move.abandon() } else { try move.clear() }
      print(#"{"organizationID":"\#(move.id)","state":"\#(abandon ? "here" : "cleared")"}"#)
      return
    }
    let progress = ProgressLine()
    let result = try await move.run(
      to: address, seal: { try await seal($0) }, report: progress.show)
    progress.clear()
    print(#"{"organizationID":"\#(move.id)","address":"\#(address)"\#(result.map { ",\($0.json)" } ?? "")}"#)
  }

  /// Seals what the organization's last writers have left, as a server that runs does a moment later.
  private func seal(_ organization: OrganizationKey) async throws {
    try await database.withTimeclock(whenInUse: "") { _ = try await $0.storage.logEnd(of: organization) }
  }
}
