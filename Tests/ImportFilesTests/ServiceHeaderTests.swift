import Testing
import TimeclockDomain

@testable import ImportFiles

/// First lines as services write them, and rows made for the tests.
@Suite("First lines of other services")
struct ServiceHeaderTests {
  private static func lines(_ text: String, _ options: ImportFileOptions) throws -> [ImportLine] {
    try ImportFileReader.lines(of: Array(text.utf8), options)
  }

  @Test("Clockify's, with invoices and dates of creation")
  func clockifyInvoices() throws {
    let text = """
      "Project","Client","Description","Task","User","Group","Email","Tags","Type","Billable","Invoiced","Invoice ID","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)","Billable Rate (EUR)","Billable Amount (EUR)","Date of creation"
      "Kitchen","Harbour Café","Soup","Cooking","Ana Gómez","Day, Night","ana@example.com","early","Regular","Yes","Yes","INV-7","10/15/2026","11:00:00 AM","10/15/2026","11:30:00 AM","00:30:00","0.50","30.00","15.00","11/02/2026"
      """
    let read = try Self.lines(text, ImportFileOptions(format: .clockify)).map(ImportFormatTests.words)
    #expect(
      read == [
        "2 ana@example.com (Ana Gómez) 2026-10-15 11:00:00 to 2026-10-15 11:30:00, 1800 s: Harbour Café / Kitchen / Cooking: Soup [early]"
      ])
  }

  @Test("Clockify's, where a workspace calls tasks activities, and a row lacks its last field")
  func clockifyActivities() throws {
    let text = """
      "Project","Description","Activity","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Client"
      "Kitchen","Soup","Cooking","Ana Gómez","","ana@example.com","","Yes","10/15/2026","11:00 AM","10/15/2026","11:30 AM"
      """
    let read = try Self.lines(text, ImportFileOptions(format: .clockify, projects: .create))
    let purpose = try #require(try read[0].row.get().purpose)
    #expect((purpose.project, purpose.task, purpose.description) == ("Kitchen", "Cooking", "Soup"))
    let noted = try Self.lines(text, ImportFileOptions(format: .clockify)).map(ImportFormatTests.words)
    #expect(noted[0].hasSuffix(": Kitchen / Cooking: Soup"))
  }

  @Test("Harvest's, with decimal commas")
  func harvestCommas() throws {
    let text = """
      Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,Approved?,First Name,Last Name,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL
      2026-10-05,,Kitchen,,,"","10,0",No,No,No,Ana,Gómez,,Yes,"30,0","300,0","0,0","0,0",Euro - EUR,
      2026-10-05,Harbour Café,Kitchen,,Cooking,Soup,"0,01",Yes,No,No,Ana,Gómez,,Yes,"30,0","0,3","0,0","0,0",Euro - EUR,
      """
    let options = ImportFileOptions(format: .harvest, dayStart: DayStart("08:00"))
    #expect(
      try Self.lines(text, options).map(ImportFormatTests.words) == [
        "2 Ana Gómez 2026-10-05 08:00:00 + 0 s for 36000 s: Kitchen",
        "3 Ana Gómez 2026-10-05 08:00:00 + 36000 s for 36 s: Harbour Café / Kitchen / Cooking: Soup",
      ])
  }

  @Test("Kimai's, in which billable is a number", arguments: [("1", true), ("0", false), ("", nil)])
  func kimaiBillable(_ word: String, _ isBillable: Bool?) throws {
    let text = """
      "Date","From","To","Duration","Currency","Price","Internal price","Hourly price","Fixed price","Name","User","E-mail","Staff number","Customer","Project","Activity","Description","Billable","Tags","Type","Category","Account","Project number","VAT-ID","Order number"
      2026-10-05,12:00,12:06,0.11,EUR,0,0,0,84,Ana Gómez,ana,ana@example.com,,"Harbour Café","Kitchen","Cooking",,\(word),"early, late",timesheet,work,A-1,,DE-9,O-1
      """
    let read = try Self.lines(text, ImportFileOptions(format: .kimai, projects: .create))
    #expect(
      read.map(ImportFormatTests.words) == [
        "2 ana@example.com (Ana Gómez) 2026-10-05 12:00:00 until 12:06:00, 396 s: "
      ])
    let purpose = try #require(try read[0].row.get().purpose)
    #expect(purpose.isBillable == isBillable && purpose.tags == ["early", "late"])
  }

  private static let solidtime = """
    id,description,start,end,billable_rate,billable,type,member_id,user_id,organization_id,client_id,project_id,task_id,tags,is_imported,still_active_email_sent_at,created_at,updated_at
    6a0c3f0e-0000-4000-8000-000000000011,Dough,2026-10-09T04:00:00Z,2026-10-09T06:30:00Z,,true,,0a51f6b8-0000-4000-8000-000000000001,3b8f8a52-0000-4000-8000-000000000002,77f0a3c4-0000-4000-8000-000000000003,,,,[],false,,2026-10-09T06:30:00Z,2026-10-09T06:30:00Z
    6a0c3f0e-0000-4000-8000-000000000012,,2026-10-09T07:00:00Z,2026-10-09T08:00:00Z,,false,,0a51f6b8-0000-4000-8000-000000000004,3b8f8a52-0000-4000-8000-000000000005,77f0a3c4-0000-4000-8000-000000000003,,,,[],false,,2026-10-09T08:00:00Z,2026-10-09T08:00:00Z
    6a0c3f0e-0000-4000-8000-000000000013,,2026-10-09T07:00:00Z,2026-10-09T08:00:00Z,,false,,0a51f6b8-0000-4000-8000-000000000006,3b8f8a52-0000-4000-8000-000000000007,77f0a3c4-0000-4000-8000-000000000003,,,,[],false,,2026-10-09T08:00:00Z,2026-10-09T08:00:00Z
    """

  @Test("solidtime's export of an organization, whose type is empty, with the people of its members.csv")
  func solidtimePeople() throws {
    let members = """
      id,user_id,name,email,organization_id,billable_rate,role,created_at,updated_at
      0a51f6b8-0000-4000-8000-000000000001,3b8f8a52-0000-4000-8000-000000000002,"Ana Gómez",ana@example.com,77f0a3c4-0000-4000-8000-000000000003,,admin,2026-08-22T10:36:48Z,2026-08-22T10:36:48Z
      0a51f6b8-0000-4000-8000-000000000004,3b8f8a52-0000-4000-8000-000000000005,Bo Adler,,77f0a3c4-0000-4000-8000-000000000003,,employee,2026-08-22T10:36:48Z,2026-08-22T10:36:48Z
      """
    let people = try SolidtimeMembers.people(of: Array(members.utf8))
    let options = ImportFileOptions(format: .solidtime, people: people)
    #expect(
      try Self.lines(Self.solidtime, options).map(ImportFormatTests.words) == [
        "2 ana@example.com (Ana Gómez) 2026-10-09T04:00:00.000Z to 2026-10-09T06:30:00.000Z: Dough",
        "3 Bo Adler 2026-10-09T07:00:00.000Z to 2026-10-09T08:00:00.000Z: ",
        "4 id 3b8f8a52-0000-4000-8000-000000000007 2026-10-09T07:00:00.000Z to 2026-10-09T08:00:00.000Z: ",
      ])
  }

  @Test(
    "A file of members without the columns that name people is refused",
    arguments: ["", "id,name,email\n", "user_id,name\n", "user_id,email\n", "user_id,name,email\n\"a"])
  func otherMembers(_ text: String) {
    #expect(throws: ImportFileError.self) { try SolidtimeMembers.people(of: Array(text.utf8)) }
  }
}
