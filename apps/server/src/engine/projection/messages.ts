// What the main thread and the projection's thread say to each other. Plain structured-clonable data, nothing else.
import type { FaultKind } from "../../storage/fault.ts";
import type { CursorRow } from "./store.ts";

export interface BatchPlace {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly timeBeforeMs: number;
  readonly bytes: number;
}

/** The events of all batches, one after another. */
export interface ProjectionRequest {
  readonly journal: string;
  readonly from: CursorRow | undefined;
  readonly batches: readonly BatchPlace[];
  readonly bytes: Uint8Array;
}

export type ProjectionReply =
  | { readonly kind: "ready" }
  | { readonly kind: "written"; readonly cursor: CursorRow | undefined }
  | { readonly kind: "failed"; readonly name: string; readonly message: string; readonly fault?: FaultKind };
