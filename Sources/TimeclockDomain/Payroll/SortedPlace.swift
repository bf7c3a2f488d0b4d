extension Array {
  /// The place of the first element that is past a point, if all elements behind it are past it too; the count if none is.
  func firstPlace(where isPast: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
