// Work without a caller that waits: a timer's turn, an unawaited promise. Its failures are reported and never end the
// process.

type Report = (name: string, error: unknown) => void;

let report: Report = (name, error) => process.emitWarning(`${name}: ${String(error)}`, "BackgroundFailure");

/** Where failures go from now on; by default a warning of the process. */
export function reportBackground(to: Report): void {
  report = to;
}

/** Runs it at once; exceptions and rejections are reported under this name. */
export function inBackground(name: string, work: () => unknown): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch((error: unknown) => report(name, error));
  } catch (error) {
    report(name, error);
  }
}

/** A timer that continues after its callback has failed. */
export function every(name: string, work: () => unknown, everyMs: number): NodeJS.Timeout {
  return setInterval(() => inBackground(name, work), everyMs);
}

export function later(name: string, work: () => unknown, afterMs: number): NodeJS.Timeout {
  return setTimeout(() => inBackground(name, work), afterMs);
}
