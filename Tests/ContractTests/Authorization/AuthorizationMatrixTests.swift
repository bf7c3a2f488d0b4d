import Foundation
import Testing

@testable import ContractDocument

/// `docs/authorization.md` against the contract.
struct AuthorizationMatrixTests {
  @Test("the page says what the contract says")
  func pageIsUpToDate() throws {
    let page = AuthorizationMatrix(document: try OpenAPIDocument.contract.get()).page
    let file = OpenAPIDocument.packageDirectory.appending(path: "docs/authorization.md")
    if ProcessInfo.processInfo.environment["TIMECLOCK_WRITE_DOCUMENTS"] != nil {
      try page.write(to: file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(
      kept == page,
      "docs/authorization.md is out of date: TIMECLOCK_WRITE_DOCUMENTS=1 swift test --filter pageIsUpToDate")
  }

  @Test("the matrix has a row for every operation, and every kind of answer")
  func matrixIsWhole() throws {
    let document = try OpenAPIDocument.contract.get()
    let page = AuthorizationMatrix(document: document).page
    for operation in document.operations {
      #expect(page.contains("| `\(operation.id)` |"), "\(operation.id)")
    }
    for cell in ["yes", "own", "401", "403", "404", "group", "manager, admin"] {
      #expect(page.contains("| \(cell) |"), "\(cell)")
    }
  }
}
