import ArgumentParser
import PostgreSQLStorage
import TimeclockDomain

/// `timeclock directory`: says which cell each organization is in.
struct DirectoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "directory",
    abstract: "List the organizations of several databases, each with the name of its own.",
    discussion: """
      Prints a line for each organization: its id and the name of its cell, for a proxy's map (deploy/cells). An organization \
      that is moving is listed where it was until it is where it will be. With --email it prints the names of the cells where \
      the address has an account, a line each.
      """)

  @Option(
    name: .customLong("cell"),
    help: ArgumentHelp(
      "A cell: any name, such as an address or a proxy's backend, and its PostgreSQL database. Once for each cell.",
      valueName: "name=location"))
  var cells: [String]

  @Option(help: "The form of the lines: plain, or nginx with a semicolon behind each.")
  var form = Form.plain

  @Option(help: "Print the cells that know this e-mail address instead.")
  var email: String?

  enum Form: String, ExpressibleByArgument, CaseIterable {
    case plain, nginx

    var end: String { self == .nginx ? ";" : "" }
  }

  func validate() throws {
    guard email.map({ EmailAddress(ofAccount: $0) != nil }) ?? true else {
      throw ValidationError("The e-mail address is not one.")
    }
  }

  func run() throws {
    let address = email.flatMap { EmailAddress(ofAccount: $0) }
    var places: [OrganizationID: Place] = [:]
    for (name, location) in try cells.map(Self.cell) {
      let directory: CellDirectory
      do {
        directory = try CellDirectory(of: location, withAccount: address)
      } catch {
        throw CommandError("The cell \(name): \(error)")
      }
      if directory.hasAccount == true { print(name) }
      for (id, isMoving) in directory.organizations {
        let place = Place(cell: name, isMoving: isMoving)
        places[id] = try places[id].map { try $0.or(place, of: id) } ?? place
      }
    }
    guard email == nil else { return }
    for (id, place) in places.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      print("\(id) \(place.cell)\(form.end)")
    }
  }

  private struct Place {
    let cell: String
    let isMoving: Bool

    /// The one of two cells that serves the organization: if it moves, the one that it goes to.
    func or(_ other: Place, of id: OrganizationID) throws -> Place {
      guard isMoving || other.isMoving else {
        throw CommandError("The organization \(id) is in two cells: \(cell) and \(other.cell).")
      }
      return isMoving ? other : self
    }
  }

  /// A location may hold a password, so that it is never repeated.
  private static func cell(_ text: String) throws -> (name: String, location: PostgreSQLLocation) {
    guard let end = text.firstIndex(of: "="), end > text.startIndex,
      !text[..<end].contains(where: { $0.isWhitespace || $0 == ";" })
    else { throw CommandError(usage: "A cell is a name without spaces, an equals sign, and a database.") }
    guard case .postgreSQL(let location) = try DatabaseLocation(String(text[text.index(after: end)...]))
    else {
      throw CommandError(usage: "The databases of cells are PostgreSQL's.")
    }
    return (String(text[..<end]), location)
  }
}
