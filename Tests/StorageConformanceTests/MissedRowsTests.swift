import Testing
import TimeclockDomain

@testable import Procedures

@Suite("A procedure that has read rows which are gone, in a storage")
struct MissedRowsTests {
  /// The ways to write rows that are not there.
  private enum Way: CaseIterable {
    case update, delete, deleteMany, count

    nonisolated(nonsending) func write<Transaction: RecordTransaction>(
      _ project: Project, in organization: OrganizationKey, _ transaction: Transaction
    ) async throws {
      let row = ShapedRow(record: project)
      switch self {
      case .update:
        try await transaction.update(row, in: Project.table.rows, of: organization, key: .max)
      case .delete: try await transaction.delete(from: Project.table.rows, of: organization, key: .max)
      case .deleteMany:
        try await transaction.delete(from: Project.table.rows, of: organization, keys: [.max, .max - 1])
      case .count:
        try await transaction.write(
          WorkTask.deleteAllOfProject, [.key(organization), .integer(.max)], rows: 2, of: "tasks")
      }
    }
  }

  /// The error with which a transaction ends that writes in such a way, and logs it; nil for none.
  private static func attempt(
    _ way: Way, on storage: some Storage, _ project: Project, in organization: OrganizationKey
  ) async -> (any Error)? {
    do {
      try await storage.write(RecordWrite(.organization(organization)), recording: nil) { transaction in
        try await way.write(project, in: organization, transaction)
        try await transaction.log(from: project.snapshot, to: nil, in: organization, .test())
      }
      return nil
    } catch {
      return error
    }
  }

  @Test("fails, and logs nothing of what it has not done", arguments: StorageFactory.all)
  func missed(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let project = try await world.keepProject(in: organization)
      let storage = world.storage
      let last = try await world.storage.lastSequence(of: organization.key)
      for way in Way.allCases {
        let error = await Self.attempt(way, on: storage, project, in: organization.key)
        #expect(error is MissedRows, "\(way): \(String(describing: error))")
      }
      #expect(try await world.storage.lastSequence(of: organization.key) == last)
      #expect(try await world.storage.project(project.id, in: organization.key) == project)
    }
  }
}
