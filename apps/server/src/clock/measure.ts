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

const THREAD_STARTED_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** The same in every thread of this machine, and never set by anybody. */
export function monotonicMs(): number {
  return THREAD_STARTED_MS + performance.now();
}
