// Time that is not business: durations, and the machine's own clock. The only reader of the machine's time besides the
// clock itself; whatever concerns users, money or orders reads the clock.

/** For durations and rates: runs evenly even when the machine's clock is set. */
export function measureMs(): number {
  return performance.now();
}

/** The machine's clock: for logs, headers of files and of HTTP. */
export function wallMs(): number {
  return Date.now();
}

const THREAD_STARTED_MS = startOfThread();

/** The same in every thread of this machine, and never set. */
export function monotonicMs(): number {
  return THREAD_STARTED_MS + performance.now();
}

/**
 * When this thread's own measure started, by the machine's. The two cannot be read in one moment: a thread preempted
 * between the readings would be off by that much permanently, so the closest of many pairs counts.
 */
function startOfThread(): number {
  let startedMs = 0;
  let closestMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 64; tries += 1) {
    const beforeMs = machineMs();
    const ownMs = performance.now();
    const apartMs = machineMs() - beforeMs;
    if (apartMs >= closestMs) continue;
    closestMs = apartMs;
    startedMs = beforeMs + apartMs / 2 - ownMs;
  }
  return startedMs;
}

function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
