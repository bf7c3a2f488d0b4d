import TimeclockDomain

extension QueryReader {
  /// Takes a tag of segments, as it is kept: on one line, without white space around it.
  func segmentTag() -> String? {
    value("tag", "1 to \(SegmentText.maximumTagCharacters) characters on one line") { text in
      (try? SegmentText.tags([text]))?.first
    }
  }
}
