import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Places for operations that take long")
struct OperationPlacesTests {
  @Test(
    "One person, one organization and all together have limited places at once",
    arguments: [
      (places: OperationPlaces.forExports(), ofPerson: 4, ofOrganization: 8, ofAll: 32),
      (places: OperationPlaces.forImports(), ofPerson: 2, ofOrganization: 2, ofAll: 8),
      (places: OperationPlaces.forTimerLists(), ofPerson: 4, ofOrganization: 32, ofAll: 128),
    ])
  func limits(_ places: OperationPlaces, ofPerson: Int, ofOrganization: Int, ofAll: Int) throws {
    func take(_ user: Int, in organization: Int) throws -> OperationPlaces.Place {
      try places.take(
        for: MemberKey(organization: OrganizationKey(Int64(organization)), user: UserKey(Int64(user))))
    }
    let unavailable = TimeclockError.unavailable(retryAfterSeconds: 5)
    let tooMany = TimeclockError.tooManyAtOnce(retryAfterSeconds: 5)
    var taken = try (0..<ofPerson).map { _ in try take(0, in: 0) }
    // The person's places count over all organizations.
    #expect(throws: tooMany) { try take(0, in: 1) }
    taken += try (ofPerson..<ofOrganization).map { try take($0, in: 0) }
    #expect(throws: tooMany) { try take(100, in: 0) }
    taken += try (ofOrganization..<ofAll).map { try take(100 + $0, in: $0 / ofOrganization) }
    #expect(throws: unavailable) { try take(300, in: 300) }
    taken.removeLast()
    #expect(throws: tooMany) { try take(100, in: 0) }
    let last = try take(300, in: 300)
    taken = []
    _ = try (0..<ofPerson).map { _ in try take(0, in: 0) }
    withExtendedLifetime(last) {}
  }
}
