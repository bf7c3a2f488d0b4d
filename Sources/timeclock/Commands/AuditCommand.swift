import ArgumentParser
import PostgreSQLStorage
import Procedures
import SQLiteStorage
import TimeclockDomain

/// `timeclock audit …`: commands for the log of changes, run on the machine itself.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Look into the log of changes.",
    subcommands: [Verify.self, NewEpoch.self])

  /// `timeclock audit verify`: checks that the log is unchanged since it was written, and that the rows agree with it.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that no change in the log was altered or removed, and every row is as the log says.",
      discussion: """
        Prints a line for each organization: how many changes it has, how many of them are erased or not sealed yet, \
        how many rows were compared with them, and the head of its chain of hashes. Keep the heads somewhere else: with \
        --expecting, a later run finds out whether the end of the log was cut off. Ends with 1 if anything is \
        wrong. Servers may run. timeclock verify checks the database itself as well.
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var heads: ExpectedHeads

    func run() async throws {
      let location = try database.location()
      if case .postgreSQL = location { try await seal(location) }
      let verification = Verification(expectedHeads: Set(heads.expecting), isComplete: false)
      guard try verification.run(on: location) else { throw ExitCode(1) }
    }

    /// Seals the changes that servers have left unsealed, so that the heads cover all changes.
    private func seal(_ location: DatabaseLocation) async throws {
      let storage = try location.open(
        whenInUse: "", report: { StandardErrorLog.shared.append("database: \($0)", level: .error) },
        onFailure: {})
      defer { StandardErrorLog.shared.finish() }
      let result: Result<Void, any Error>
      do {
        for organization in try await storage.organizations() {
          do {
            _ = try await storage.storedChanges(of: organization.key, after: 0, limit: 1)
          } catch TimeclockError.organizationMoved {
            // All of it was sealed before.
          }
        }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      await storage.close()
      do {
        try result.get()
      } catch let error as TimeclockError {
        throw CommandError("\(error.code): \(error.detail)")
      }
    }
  }

  /// `timeclock audit new-epoch`: has every reader of the log begin again.
  struct NewEpoch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new-epoch",
      abstract: "Have everybody who follows the log of changes read everything again.",
      discussion: """
        For a database that was put back by other means than timeclock restore or pg_restore, such as a file that was \
        copied: changes that are gone would be missed in silence, because others get their numbers. Positions that \
        were kept before are refused then (410 position_unknown). Stop the server of an SQLite file first; servers of \
        PostgreSQL may run.
        """)

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
      let report: @Sendable (String) -> Void = {
        StandardErrorLog.shared.append("database: \($0)", level: .error)
      }
      defer { StandardErrorLog.shared.finish() }
      do {
        switch try database.location() {
        case .sqlite(let path):
          let storage = try SQLiteStorage.open(path: path, mayCreate: false, report: report, onFailure: {})
          try await finish(storage, storage.renewLogEpoch)
        case .postgreSQL(let location):
          let storage = try PostgreSQLStorage.open(location, log: report)
          try await finish(storage, storage.renewLogEpoch)
        }
      } catch SQLiteStorageError.databaseInUse {
        throw CommandError("Another process, most likely a server, holds the database. Stop it first.")
      } catch let error as TimeclockError {
        throw CommandError("\(error.code): \(error.detail)")
      }
    }

    /// Closes the storage, also after a failure of the work.
    private func finish(_ storage: any Storage, _ work: () async throws -> Void) async throws {
      let result: Result<Void, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      await storage.close()
      try result.get()
    }
  }
}
