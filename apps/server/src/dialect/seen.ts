// Signatures of calls, kept until their time is over: what changes something is not done twice, nor by the signature of
// a reading, for neither method nor path is signed. Bounded; a restart forgets them, and orders then still have a name
// made from their signature.
import { createHash } from "node:crypto";
import { RECV_WINDOW_MAX_MS } from "@clockwork/domains/apikeys/rules";
import { DialectRefusal } from "./refusal.ts";
import type { ReadCall } from "./request.ts";

const SEEN_MAX = 200_000;
/** As long as a signature's time can be good. */
const KEPT_MS = RECV_WINDOW_MAX_MS + 1_000;

export interface SeenSignatures {
  /** Refuses a signature that came before. */
  require(call: ReadCall, timeMs: number): void;
  /** Remembers one that may come again: clients ask the same twice within a millisecond. */
  note(call: ReadCall, timeMs: number): void;
}

/** Two lots, the older given up as a whole: taking out single ones leaves gaps that every later look has to step over. */
export function seenSignatures(max = SEEN_MAX): SeenSignatures {
  let recent = new Set<string>();
  let older = new Set<string>();
  let sinceMs = 0;
  const note = (signature: string, timeMs: number): void => {
    if (timeMs - sinceMs >= KEPT_MS || recent.size >= max) {
      older = recent;
      recent = new Set();
      sinceMs = timeMs;
    }
    recent.add(signature);
  };
  return {
    require({ signature = "" }, timeMs) {
      const isKnown = recent.has(signature) || older.has(signature);
      note(signature, timeMs);
      if (isKnown) throw new DialectRefusal(-1022, "Signature for this request is not valid.");
    },
    note: ({ signature = "" }, timeMs) => note(signature, timeMs),
  };
}

/** A client order id of an order whose client named none: the same call gives the same one. */
export function nameBySignature(signature: string | undefined, requestId: string, part = ""): string {
  const digest = createHash("sha256")
    .update(`${signature ?? requestId}${part}`)
    .digest("base64url");
  return digest.replaceAll("_", "A").slice(0, 22);
}
