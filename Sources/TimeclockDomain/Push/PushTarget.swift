/// The public id of a push target.
package typealias PushTargetID = Identifier<PushTarget>

/// A receiver of messages on a member's phone, reached through Apple: a Live Activity, the start of future ones, or the app.
package struct PushTarget: Hashable, Sendable {
  package var id: PushTargetID
  package var kind: Kind
  /// The form of the Live Activity; nil for alerts, which have none.
  package var form: LiveActivityForm?
  package var token: PushToken
  package var topic: PushTopic
  package var environment: Environment
  package var dates: LiveActivityDates
  /// The name of the app's structure of attributes, if it is not the form's own.
  package var attributesType: String?
  package var createdAt: Instant
  /// The instant at which it ends; nil if it ends with the log-in that made it.
  package var expiresAt: Instant?

  /// The receiver of messages.
  package enum Kind: String, CaseIterable, Sendable {
    /// One Live Activity, until it is over.
    case liveActivity
    /// The app's Live Activities of a form, to start them.
    case pushToStart
    /// The app, for a notification when a timer finishes.
    case alert
  }

  /// The service of Apple that issued the token.
  package enum Environment: String, CaseIterable, Sendable {
    case production
    /// For apps that are run from Xcode.
    case sandbox
  }

  package init(
    id: PushTargetID, kind: Kind, form: LiveActivityForm?, token: PushToken, topic: PushTopic,
    environment: Environment, dates: LiveActivityDates, attributesType: String?, createdAt: Instant,
    expiresAt: Instant?
  ) {
    self.id = id
    self.kind = kind
    self.form = form
    self.token = token
    self.topic = topic
    self.environment = environment
    self.dates = dates
    self.attributesType = attributesType
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

extension PushTarget {
  /// The most targets that a member has in an organization.
  package static let maximumCount = 20
  /// The longest time for which a Live Activity takes messages, in milliseconds: 8 hours.
  package static let longestActivity: Int64 = 28_800_000

  /// The name of the app's structure of attributes.
  package var shownAttributesType: String? { attributesType ?? form?.attributesType }
}

/// The token of a receiver on a phone, as the phone states it.
package struct PushToken: Hashable, Sendable {
  package let bytes: [UInt8]

  /// The lengths, in bytes. Apple does not say how long one is.
  package static let lengths = 8...200

  /// A token that was taken before.
  package init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Takes a token in hexadecimal digits, of either case.
  ///
  /// - Throws: `TimeclockError.invalidPushToken`.
  package init(_ text: String) throws {
    let digits = text.utf8.map { Self.value(of: $0) }
    let values = digits.compactMap(\.self)
    guard values.count == digits.count, values.count.isMultiple(of: 2),
      Self.lengths.contains(values.count / 2)
    else { throw TimeclockError.invalidPushToken }
    bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  /// The token in lower-case hexadecimal digits. Never shown: with the app's key it allows sending to the phone.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The last four digits, the only part that answers show.
  package var masked: String { "****" + text.suffix(4) }
}

/// The app's bundle identifier, which its messages are addressed to.
package struct PushTopic: Hashable, Sendable {
  package let text: String

  /// The most characters.
  package static let maximumLength = 155

  /// A topic that was taken before.
  package init(stored text: String) {
    self.text = text
  }

  /// Takes a bundle identifier: letters, digits, hyphens, and dots, without the suffix for Live Activities.
  ///
  /// - Throws: `TimeclockError.invalidTopic`.
  package init(_ text: String) throws {
    let isIdentifier =
      (1...Self.maximumLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
      }
    guard isIdentifier, !text.hasSuffix(Self.ofActivities) else { throw TimeclockError.invalidTopic }
    self.text = text
  }

  /// The suffix of the topic of Live Activities.
  package static let ofActivities = ".push-type.liveactivity"
}

extension TimeclockError {
  package static let invalidPushToken = TimeclockError.plain(
    PlainRefusal(
      "invalid_push_token", against: .rule,
      """
      A token is \(PushToken.lengths.lowerBound) to \(PushToken.lengths.upperBound) bytes in hexadecimal digits, as the phone \
      reports it
      """))

  package static let invalidTopic = TimeclockError.plain(
    PlainRefusal(
      "invalid_topic", against: .rule,
      "A topic is the bundle identifier of the app alone, such as com.example.app"))

  package static let invalidPushForm = TimeclockError.plain(
    PlainRefusal(
      "invalid_push_form", against: .rule,
      "Live Activities have a `form`; an alert has neither a `form` nor an `attributesType`"))

  package static let invalidAttributesType = TimeclockError.plain(
    PlainRefusal(
      "invalid_attributes_type", against: .rule,
      "attributesType must be 1 to 100 letters, digits and underscores"))

  package static let pushTargetNotFound = TimeclockError.plain(
    PlainRefusal("push_target_not_found", against: .absence, "You have no such push target."))

  package static let tooManyPushTargets = TimeclockError.plain(
    PlainRefusal(
      "too_many_push_targets", against: .state,
      "You have \(PushTarget.maximumCount) push targets already. Delete one first."))
}
