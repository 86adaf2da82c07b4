// The health of the running core, from the API. Shared by the page's loader and by the live card.

export type CoreState = "starting" | "replaying" | "running" | "halted";

export interface SystemStatus {
  readonly version: string;
  readonly startedAt: string | number;
  readonly core: {
    readonly state: CoreState;
    readonly sequence: number;
    readonly durableSequence: number;
    readonly stateHash?: string;
    readonly stateHashSequence?: number;
    readonly reason?: string;
  };
  /** Whether history, fills and bills follow the journal. */
  readonly tables?: { readonly state: "level" | "behind" | "stopped"; readonly forSeconds: number };
  readonly matched?: {
    readonly trades: number;
    readonly ack?: { readonly p50Ms: number; readonly p99Ms: number };
  };
}

const STATES: readonly string[] = ["starting", "replaying", "running", "halted"];

/** Reads an envelope's data; undefined when it is not what was promised. */
export function readSystemStatus(data: unknown): SystemStatus | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const status = data as Partial<SystemStatus>;
  const core = status.core;
  if (typeof status.version !== "string" || typeof core !== "object" || core === null) return undefined;
  if (!STATES.includes(core.state) || typeof core.sequence !== "number") return undefined;
  return data as SystemStatus;
}
