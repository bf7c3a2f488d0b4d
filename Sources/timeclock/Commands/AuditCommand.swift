import ArgumentParser
import ChangeLog
import TimeclockDomain

/// `timeclock audit …`: what is done about the log of changes on the machine itself.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Look into the log of changes.", subcommands: [Verify.self])

  /// `timeclock audit verify`: whether the log is what was written.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that no change in the log was altered or removed.",
      discussion: """
        Prints a line for each organization: how many changes it has, how many of them are erased or not sealed yet, \
        and the head of its chain of hashes. Keep the heads somewhere else: with --expecting, a later run finds out \
        whether the end of the log was cut off. Ends with 1 where anything is wrong.
        """)

    @OptionGroup var database: DatabaseOptions

    @Option(
      help: ArgumentHelp(
        "A head that an earlier run printed; it has to be in one of the chains. Can be given several times.",
        valueName: "sequence:hash"))
    var expecting: [String] = []

    func run() async throws {
      let storage = try database.location().open(
        whenInUse: "Stop it for as long as this takes, or verify a copy.",
        report: { StandardErrorLog.shared.append("database: \($0)", level: .error) }, onFailure: {})
      defer { StandardErrorLog.shared.finish() }
      let result: Result<Bool, any Error>
      do {
        result = .success(try await verify(storage))
      } catch {
        result = .failure(error)
      }
      await storage.close()
      do {
        guard try result.get() else { throw ExitCode(1) }
      } catch let error as TimeclockError {
        throw CommandError("\(error.code): \(error.detail)")
      }
    }

    /// Whether everything is as it was written.
    private func verify(_ storage: any Storage) async throws -> Bool {
      var missingHeads = Set(expecting)
      var isIntact = true
      for organization in try await storage.organizations() {
        var verifier = ChangeChainVerifier()
        while true {
          let changes = try await storage.storedChanges(
            of: organization.key, after: verifier.sequence, limit: Self.batchSize)
          for change in changes {
            verifier.check(change)
            missingHeads.remove(head(change.sequence, change.hash))
          }
          if changes.count < Self.batchSize { break }
        }
        let unsealed = try await storage.unsealedChanges(of: organization.key)
        let faultCount = Int64(verifier.faults.count) + unsealed.lostCount
        print(
          "\(organization.id) changes=\(verifier.sequence) erased=\(verifier.erasedCount) "
            + "unsealed=\(unsealed.waitingCount) faults=\(faultCount) head=\(head(verifier.sequence, verifier.hash))"
        )
        for fault in verifier.faults { print("\(organization.id) \(fault)") }
        if unsealed.lostCount > 0 {
          print("\(organization.id) \(unsealed.lostCount) changes have lost their seals")
        }
        if faultCount > 0 { isIntact = false }
      }
      for head in missingHeads.sorted() {
        print("the head \(head) is in no chain: a log was cut off, or altered")
      }
      return isIntact && missingHeads.isEmpty
    }

    private func head(_ sequence: Int64, _ hash: [UInt8]) -> String {
      let digits = Array("0123456789abcdef")
      return "\(sequence):" + String(hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static let batchSize = 1_000
  }
}
