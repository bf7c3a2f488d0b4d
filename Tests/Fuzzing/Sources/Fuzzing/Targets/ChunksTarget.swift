@testable import HTTPMessages

/// The chunked transfer coding, in pieces, against the plain reading of `ChunkModel`.
enum ChunksTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let limits = input.choose(below: 4) == 0 ? HTTPRequestLimits() : .small
    let cuts = input.chooseCuts()
    let bytes = input.rest
    let expected = ChunkModel(bytes, limits: limits, takesBareLineFeed: isFaulty).outcome
    let outcome = decode(bytes.pieces(cuts), limits)
    require(outcome == expected, "\(outcome), expected \(expected)")
  }

  private static func decode(_ pieces: [[UInt8]], _ limits: HTTPRequestLimits) -> ChunkModel.Outcome {
    var decoder = ChunkedBodyDecoder()
    var body: [UInt8] = []
    var offset = 0
    for piece in pieces {
      var position = 0
      do throws(HTTPRequestRejection) {
        if try decoder.decode(
          piece.span, at: &position, into: &body, limits: limits, bodyLimit: limits.bodyByteCount)
        {
          require(position <= piece.count, "consumed \(position) of \(piece.count)")
          return .complete(body: body, byteCount: offset + position)
        }
      } catch {
        return .rejected(status: error.status.code)
      }
      require(position == piece.count, "left something of what is not the end")
      require(body.count <= limits.bodyByteCount, "\(body.count) bytes")
      offset += piece.count
    }
    return .incomplete(body: body)
  }
}
