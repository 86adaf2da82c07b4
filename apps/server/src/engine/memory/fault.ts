// Owns the errors of the engine's environment: damaged files, full disks, failed syncs. A fault is thrown and stops the
// engine; it is never a rejection and never retried.

export type EngineFaultCode =
  | "JOURNAL_DAMAGED"
  | "JOURNAL_MISSING"
  | "JOURNAL_SEGMENT_MISSING"
  | "JOURNAL_SEGMENT_REPEATED"
  | "JOURNAL_BEHIND"
  | "JOURNAL_RELEASE"
  | "JOURNAL_CLOSED"
  | "DISK_FULL"
  | "WRITE_FAILED"
  | "SYNC_FAILED"
  | "READ_FAILED"
  | "SNAPSHOT_DAMAGED"
  | "REPLAY_DIVERGED"
  | "REPLAY_CHANGES"
  | "WORKER_LOST";

/** Where in the files a fault was found; the message already names it in one line. */
export interface FaultPlace {
  readonly file: string;
  readonly offset?: number;
  readonly sequence?: number;
}

export class EngineFault extends Error {
  readonly code: EngineFaultCode;
  readonly place: FaultPlace | undefined;

  constructor(code: EngineFaultCode, reason: string, place?: FaultPlace, cause?: unknown) {
    super(describeFault(code, reason, place), cause === undefined ? undefined : { cause });
    this.name = "EngineFault";
    this.code = code;
    this.place = place;
  }
}

function describeFault(code: EngineFaultCode, reason: string, place: FaultPlace | undefined): string {
  if (place === undefined) return `${code}: ${reason}`;
  const offset = place.offset === undefined ? "" : ` at byte ${place.offset}`;
  const sequence = place.sequence === undefined ? "" : `, sequence ${place.sequence}`;
  return `${code}: ${place.file}${offset}${sequence}: ${reason}`;
}

/** The operating system's short name of an error (ENOSPC, EIO, …), or its text. */
export function describeCause(error: unknown): string {
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === undefined ? error.message : code;
  }
  return String(error);
}
