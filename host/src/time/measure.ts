// Time that is not business: how long something took, and what the machine's own clock says. Beside the clock itself
// the only place that asks the machine; whatever concerns people, money or orders reads the clock.

/** For durations and paces: runs evenly whatever anybody does to the machine's clock. */
export function measureMs(): number {
  return performance.now();
}

/** What the machine's clock says: for logs, headers of files and of HTTP. */
export function wallMs(): number {
  return Date.now();
}

const THREAD_STARTED_MS = startOfThread();

/** The same in every thread of this machine, and never set by anybody. */
export function monotonicMs(): number {
  return THREAD_STARTED_MS + performance.now();
}

/**
 * When this thread's own measure began, by the machine's. The two cannot be read in one moment: a thread that is put aside
 * between the readings would live that much in the past for good, so the closest of many pairs counts.
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
