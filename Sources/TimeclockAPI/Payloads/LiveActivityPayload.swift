import HTTPMessages
import TimeclockDomain

extension LiveActivity {
  /// The contract's LiveActivity.
  func response(_ dates: LiveActivityDates) -> HTTPResponse {
    var response = HTTPResponse.json(
      JSONWriter.object(capacity: 1_024) { writer in
        writer.member("active", content != nil)
        writer.member("attributesType", form.attributesType)
        writer.member("attributes", content) { $0.object($1.attributes, dates) }
        writer.member("contentState", content) { $0.object($1.state, dates) }
        writer.member("staleDate", content?.staleDate) { $0.date($1, dates) }
        writer.member("dismissal", dismissal?.rawValue)
        writer.member("serverTime", time)
      })
    response.fields.append("ETag", EntityTag.weakText(of: tagParts(dates)))
    return response
  }

  /// All content except running seconds and the server's time.
  private func tagParts(_ dates: LiveActivityDates) -> [String] {
    let parts = content?.tag ?? [dismissal?.rawValue ?? ""]
    return [form.rawValue, dates.rawValue, content == nil ? "over" : "active"] + parts
  }
}

extension JSONWriter {
  /// Writes members of a Live Activity as an object, without null.
  mutating func object(_ members: [LiveActivityMember], _ dates: LiveActivityDates) {
    object { writer in
      for member in members {
        writer.name(text: member.name)
        writer.value(member.value, dates)
      }
    }
  }

  private mutating func value(_ value: LiveActivityValue, _ dates: LiveActivityDates) {
    switch value {
    case .text(let text): string(text)
    case .flag(let flag): bool(flag)
    case .count(let count): integer(count)
    case .seconds(let milliseconds): thousandths(milliseconds)
    case .tenThousandths(let count): tenThousandths(count)
    case .date(let instant): date(instant, dates)
    }
  }

  /// Writes an instant as a Live Activity has it.
  mutating func date(_ instant: Instant, _ dates: LiveActivityDates) {
    let milliseconds = instant.millisecondsSince1970
    switch dates {
    case .reference: thousandths(milliseconds - LiveActivityDates.referenceMilliseconds)
    case .unix: thousandths(milliseconds)
    // A decoder with this strategy reads no fraction.
    case .iso8601: string(instant.rfc3339.dropLast(5) + "Z")
    }
  }
}
