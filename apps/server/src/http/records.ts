// What is kept of every answered request, whichever way it came: its time by route and kind of answer, its refusal
// by code, one line in the log. Never keeps a query, which may hold tokens.

import type { Call } from "@clockwork/host/call";
import type { Log } from "@clockwork/host/log";
import { EDGE_CODES, type EdgeCode } from "@clockwork/host/refusal";
import type { Metrics } from "./metrics.ts";

export interface Answered {
  readonly method: string;
  /** The route's pattern, from a closed set. */
  readonly route: string;
  readonly url: string;
  readonly status: number;
  /** What it was refused with. */
  readonly refusal: string | undefined;
  readonly tookMs: number;
  /** The log keeps nothing that identifies the caller. */
  readonly isAnonymous: boolean;
}

export type Recorder = (call: Pick<Call, "id" | "address" | "isInProcess">, answered: Answered) => void;

const EDGE: ReadonlySet<string> = new Set<EdgeCode>(EDGE_CODES);

export function createRecorder(log: Log, metrics: Metrics): Recorder {
  return (call, { method, route, url, status, refusal, tookMs, isAnonymous }) => {
    metrics.requestSeconds.observe(method, route, status, tookMs / 1000);
    if (!call.isInProcess) metrics.visits.note(route);
    if (refusal !== undefined) metrics.refusals.inc({ code: EDGE.has(refusal) ? refusal : "slice" });
    const level = call.isInProcess || status < 400 ? "debug" : "info";
    if (!log.enabled(level)) return;
    log[level]("http.answered", {
      requestId: call.id,
      method,
      path: (url.split("?")[0] ?? "").slice(0, 200),
      status,
      refusal,
      tookUs: Math.round(tookMs * 1000),
      ...(isAnonymous ? {} : { address: call.address }),
    });
  };
}
