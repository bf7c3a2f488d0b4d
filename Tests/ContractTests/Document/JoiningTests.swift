import Foundation
import Testing

@testable import ContractDocument

/// `openapi.yaml` against its sources in `openapi/`, which `scripts/join-contract` joins.
@Suite("The joined contract")
struct JoiningTests {
  @Test("is what its sources say")
  func isUpToDate() throws {
    let (status, output) = try join(["--check"])
    #expect(status == 0, "\(output)")
  }

  @Test("is not joined from sources with a fault, and not left behind by them", arguments: SourceFault.all)
  func findsFault(_ fault: SourceFault) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "join-contract-\(UUID())")
    defer { try? files.removeItem(at: folder) }
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["openapi", "openapi.yaml", "Sources/timeclock/Version.swift", SourceFault.routes] {
      let copy = folder.appending(path: name)
      try files.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.copyItem(at: OpenAPIDocument.packageDirectory.appending(path: name), to: copy)
    }
    let file = folder.appending(path: fault.file)
    let text = try String(contentsOf: file, encoding: .utf8)
    let found = try #require(text.range(of: fault.old), "\(fault.file) has no longer \(fault.old)")
    try text.replacingCharacters(in: found, with: fault.new).write(
      to: file, atomically: true, encoding: .utf8)
    let (status, output) = try join(["--check", "--folder", folder.path])
    #expect(status != 0)
    #expect(output.contains(fault.message), "\(output)")
  }

  /// The status and the output of the script.
  private func join(_ arguments: [String]) throws -> (Int32, String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = OpenAPIDocument.packageDirectory.appending(path: "scripts/join-contract")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}

/// Something in the sources that the script has to refuse.
struct SourceFault: Sendable, CustomTestStringConvertible {
  let file: String
  let old: String
  let new: String
  /// The message that the script has to print.
  let message: String

  var testDescription: String { "\(file): \(new)" }

  /// The program's table of routes, which is made too.
  static let routes = "Sources/TimeclockAPI/Routing/ContractRoutes+Text.swift"

  static let all = [
    SourceFault(
      file: routes, old: "GET listMembers manager", new: "GET listMembers member",
      message: "there:       GET listMembers member\n  openapi/:       GET listMembers manager"),
    SourceFault(
      file: "openapi/paths/members.yaml", old: "    x-required-role: manager\n", new: "",
      message: "listMembers: needs either x-required-role or security: []"),
    SourceFault(
      file: "openapi/paths/members.yaml", old: "x-required-role: manager", new: "x-required-role: manger",
      message: "listMembers: manger is none of operator, user, member, manager, admin"),
    SourceFault(
      file: "openapi/paths/service.yaml", old: "    security: []\n",
      new: "    security: []\n    x-required-role: member\n",
      message: "needs either x-required-role or security: []"),
    SourceFault(
      file: "openapi/paths/service.yaml", old: "summary: This document", new: "summary: The document",
      message: "there:       summary: This document\n  openapi/:       summary: The document"),
    SourceFault(
      file: "openapi.yaml", old: "summary: This document", new: "summary: The document",
      message: "there:       summary: The document\n  openapi/:       summary: This document"),
    SourceFault(
      file: "Sources/timeclock/Version.swift", old: "let text = \"", new: "let text = \"99.",
      message: "openapi/:   version: 99."),
    SourceFault(
      file: "Sources/timeclock/Version.swift", old: "let text", new: "let words",
      message: "Version.swift has no version"),
    SourceFault(
      file: "openapi/paths/members.yaml", old: "last_admin]", new: "last_admn]",
      message: "deactivateMember: problems.toml has no set and no code last_admn"),
    SourceFault(
      file: "openapi/paths/members.yaml", old: "[Delete, Version", new: "[Delete, Version, storage_full",
      message: "deactivateMember: storage_full stands there twice"),
    SourceFault(
      file: "openapi/paths/sessions.yaml", old: "404 session_not_found", new: "session_not_found",
      message: "write it without one, or after one of them"),
    SourceFault(
      file: "openapi/paths/sessions.yaml", old: "404 session_not_found", new: "409 session_not_found",
      message: "session_not_found has no status 409"),
    SourceFault(
      file: "openapi/paths/members.yaml",
      old: "    x-problems: [Read, Organization, forbidden, group_not_found]\n", new: "",
      message: "listMembers: no x-problems"),
    SourceFault(
      file: "openapi/paths/members.yaml",
      old: "      '412': MemberChanged\n", new: "", message: "updateMember: no response for 412"),
    SourceFault(
      file: "openapi/paths/members.yaml", old: "'412':", new: "'418':",
      message: "updateMember: 418 without a code"),
    SourceFault(
      file: "openapi/paths/service.yaml", old: "/health/live:", new: "/v1/me:",
      message: "/v1/me is in another file too"),
    SourceFault(
      file: "openapi/schemas/values.yaml", old: "InstantInput:", new: "Instant:",
      message: "twice there: Instant"),
    SourceFault(
      file: "openapi/problems.toml", old: "[codes]\n", new: "[codes]\nteapot = {422 = \"a teapot\"}\n",
      message: "lists what no operation documents: 422 teapot"),
    SourceFault(
      file: "openapi/contract.yaml", old: "- name: Members", new: "- name: People",
      message: "paths/ has files or lacks some: ['members', 'people']"),
    SourceFault(
      file: "openapi/description.md", old: "## Conventions", new: "## Members",
      message: "Members is a tag and a heading of description.md"),
    SourceFault(
      file: "openapi/description.md", old: "## Conventions", new: "## Problems",
      message: "description.md: twice there: Problems"),
    SourceFault(
      file: "openapi/schemas/breaks.yaml", old: "    isPaid:\n", new: "    paid:\n",
      message: "CreateBreakTypeRequest: nothing says what paid is"),
    SourceFault(
      file: "openapi/schemas/breaks.yaml", old: "[BreakType]", new: "[BreakKind]",
      message: "there is no schema BreakKind"),
    SourceFault(
      file: "openapi/schemas/breaks.yaml", old: "changed: break type", new: "noun: break type",
      message: "BreakType: x-resource has keys that are not known"),
    SourceFault(
      file: "openapi/schemas/breaks.yaml", old: "CreateBreakTypeRequest:", new: "BreakTypePage:",
      message: "twice there: BreakTypePage"),
    SourceFault(
      file: "openapi/schemas/webhooks.yaml", old: "x-extends: Webhook", new: "x-extends: Hook",
      message: "there is no schema Hook"),
    SourceFault(
      file: "openapi/paths/breaks.yaml", old: "{changed: BreakType}", new: "{changed: BreakTypePage}",
      message: "BreakTypePage is no resource that can have changed"),
    SourceFault(
      file: "openapi/paths/breaks.yaml", old: "- query: archived", new: "- cookie: archived",
      message: "listBreakTypes: a parameter is of no place"),
  ]
}
