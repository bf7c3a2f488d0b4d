// One sender at a time over all tabs, and the next attempt after 1, 2, 4 … 30 seconds.
const NAME = "timeclock-punches";

/** Runs `work` while no other tab does; `navigator.locks` is absent over plain HTTP. */
async function alone(work) {
  if (navigator.locks) return navigator.locks.request(NAME, work);
  const { holding } = await import("./lease.js");
  return holding(NAME, work);
}

/**
 * Answers `{send, wake}`. `send()` runs `work` alone, once more if it was asked meanwhile; if `work` throws it is tried
 * again later. `wake()` tries at once: a connection may be there again.
 */
export function sender(work) {
  let running = null;
  let isAsked = false;
  let failures = 0;
  let timer = 0;

  async function run() {
    clearTimeout(timer);
    do {
      isAsked = false;
      try {
        await alone(work);
        failures = 0;
      } catch (error) {
        if (error.isFinal) return;
        const seconds = error.retryAfter || Math.min(30, 2 ** failures);
        failures += 1;
        timer = setTimeout(send, seconds * 1000);
        return;
      }
    } while (isAsked);
  }

  function send() {
    isAsked = true;
    running ||= run().finally(() => (running = null));
    return running;
  }

  return {
    send,
    wake() {
      failures = 0;
      return send();
    },
  };
}
