import Metrics
import Testing
import Threads

@Suite("Counting")
struct HistogramTests {
  @Test("puts a value into the range that it ends, and what is greater than all into the last")
  func ranges() {
    let histogram = Histogram(bounds: [10, 20], seriesCount: 2)
    for value in [0, 10, 11, 20, 21, 1_000] { histogram.observe(value, series: 1) }
    #expect(histogram.reading(series: 1).counts == [2, 2, 2])
    #expect(histogram.reading(series: 1).sum == 1_062)
    #expect(histogram.reading(series: 1).count == 6)
    #expect(histogram.reading(series: 0).counts == [0, 0, 0])
  }

  @Test("loses nothing that threads count at once, more threads than there are shards")
  func threads() throws {
    let table = CounterTable(count: 3)
    let threads = try (0..<20).map { _ in
      try NamedThread(name: "adds") {
        for _ in 0..<10_000 {
          table.add(1, at: 0)
          table.add(2, at: 2)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(table.sum(at: 0) == 200_000)
    #expect(table.sum(at: 1) == 0)
    #expect(table.sum(at: 2) == 400_000)
  }
}

@Suite("The text of metrics")
struct MetricsTextTests {
  @Test("has HELP and TYPE before a metric's series")
  func text() {
    var text = MetricsText()
    text.begin("a_total", .counter, "What it counts.")
    text.add("a_total", 3, [("of", #"x"y\z"#)])
    #expect(
      text.text == ##"""
        # HELP a_total What it counts.
        # TYPE a_total counter
        a_total{of="x\"y\\z"} 3

        """##)
  }

  @Test("adds a histogram's ranges up, and writes times in seconds")
  func histogram() {
    let histogram = Histogram(bounds: [500_000, 2_000_000_000])
    for value in [1, 500_000, 500_001, 3_000_000_000] { histogram.observe(value) }
    var text = MetricsText()
    text.add("t", histogram.reading(), bounds: histogram.bounds, isTime: true, [("k", "v")])
    #expect(
      text.text == """
        t_bucket{k="v",le="0.0005"} 2
        t_bucket{k="v",le="2"} 3
        t_bucket{k="v",le="+Inf"} 4
        t_sum{k="v"} 3.001000002
        t_count{k="v"} 4

        """)
  }
}
