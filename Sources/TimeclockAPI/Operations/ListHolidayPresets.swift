import HTTPMessages
import HolidayPresets
import TimeclockDomain

extension Operation {
  /// Lists the places whose public holidays the program knows.
  static let listHolidayPresets = Operation("listHolidayPresets") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    return .tagged(capacity: 65_536) { writer in
      writer.array("holidayPresets", HolidayPresets.all) { writer, preset in
        writer.object { writer in
          writer.member("id", preset.id)
          writer.member("name", preset.name)
          writer.member("lastYear", Int64(preset.lastYear))
        }
      }
    }
  }
}
