import Glibc

/// A queue: threads and tasks put work into it, and worker threads take the work out.
///
/// `@unchecked Sendable`: every access to the stored properties happens with `mutex` held; mutex and
/// condition live at fixed addresses from `init` to `deinit`.
package final class WorkQueue<Element: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var elements: [Element] = []
  private var isClosed = false
  private let capacity: Int

  /// Makes a queue that holds at most `capacity` elements.
  package init(capacity: Int = .max) {
    self.capacity = capacity
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Adds an element at the end; false, without adding it, if the queue is full or closed.
  package func append(_ element: Element) -> Bool {
    pthread_mutex_lock(mutex)
    let isTaken = !isClosed && elements.count < capacity
    if isTaken { elements.append(element) }
    let isFirst = isTaken && elements.count == 1
    pthread_mutex_unlock(mutex)
    // The signal comes after the unlocking. Otherwise the thread that wakes up would only wait for the mutex.
    if isFirst { pthread_cond_signal(changed) }
    return isTaken
  }

  /// Takes all elements in order, and waits while the queue is empty.
  ///
  /// - Parameter timeout: The longest time to wait; nil waits for ever.
  /// - Returns: The elements; empty after `timeout`; nil once the queue is closed and empty.
  package func takeAll(timeout: Duration? = nil) -> [Element]? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard waitForElements(timeout: timeout) else { return isClosed ? nil : [] }
    defer { elements = [] }
    return elements
  }

  /// Takes the first element, and waits while the queue is empty; nil once the queue is closed and empty.
  package func takeFirst() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard waitForElements(timeout: nil) else { return nil }
    let first = elements.removeFirst()
    if !elements.isEmpty { pthread_cond_signal(changed) }
    return first
  }

  /// Refuses further elements. Queued elements can still be taken.
  package func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Waits with the mutex held: true once the queue has elements, false if it is closed or the time is over without any.
  private func waitForElements(timeout: Duration?) -> Bool {
    guard let timeout else {
      while elements.isEmpty, !isClosed { pthread_cond_wait(changed, mutex) }
      return !elements.isEmpty
    }
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let (seconds, attoseconds) = timeout.components
    deadline.tv_sec += Int(seconds)
    deadline.tv_nsec += Int(attoseconds / 1_000_000_000)
    if deadline.tv_nsec >= 1_000_000_000 {
      deadline.tv_sec += 1
      deadline.tv_nsec -= 1_000_000_000
    }
    while elements.isEmpty, !isClosed {
      if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { break }
    }
    return !elements.isEmpty
  }
}
