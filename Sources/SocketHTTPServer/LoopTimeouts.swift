/// The configured time-outs in nanoseconds, and the tick at which the loop checks them.
struct LoopTimeouts {
  let head: Int64
  let body: Int64
  let write: Int64
  let idle: Int64
  let shutdown: Int64
  let lingering: Int64
  /// The fewest bytes a second of a streamed answer, and for how long an answer may wait for its peer before they count.
  let streamRate: Int64
  let streamGrace: Int64
  /// The interval at which the connections' deadlines are compared with the clock; no time-out is later by more.
  let tick: Int64

  init(_ timeouts: HTTPServerTimeouts) {
    head = timeouts.head.nanoseconds
    body = timeouts.body.nanoseconds
    write = timeouts.write.nanoseconds
    idle = timeouts.idle.nanoseconds
    shutdown = timeouts.shutdown.nanoseconds
    lingering = timeouts.lingering.nanoseconds
    streamRate = Int64(timeouts.streamBytesPerSecond)
    streamGrace = timeouts.streamGrace.nanoseconds
    let shortest = min(head, body, write, idle, shutdown, lingering, streamGrace)
    tick = min(max(shortest / 4, 5_000_000), 500_000_000)
  }
}
