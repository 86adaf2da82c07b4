// Signatures of calls, kept until they expire: a change is not done twice, nor by the signature of a read, for neither
// method nor path is signed. Bounded; a restart clears them, and orders then still have an id made from their
// signature.
import { createHash } from "node:crypto";
import { RECV_WINDOW_MAX_MS } from "@clockwork/identity/apikeys/rules";
import { DialectRefusal } from "./refusal.ts";
import type { ReadCall } from "./request.ts";

const SEEN_MAX = 200_000;
/** As long as a signature's time can be good. */
const KEPT_MS = RECV_WINDOW_MAX_MS + 1_000;

export interface SeenSignatures {
  /** Refuses a signature that came before. */
  require(call: ReadCall, timeMs: number): void;
  /** Stores one that may come again: clients repeat a call within a millisecond. */
  note(call: ReadCall, timeMs: number): void;
}

/** Two lots, the older given up as a whole. */
export function seenSignatures(max = SEEN_MAX): SeenSignatures {
  let recent = new Lot(max);
  let older = new Lot(max);
  let sinceMs = 0;
  const note = (mark: number, timeMs: number): void => {
    if (timeMs - sinceMs >= KEPT_MS || recent.size >= max) {
      [older, recent] = [recent, older];
      recent.clear();
      sinceMs = timeMs;
    }
    recent.add(mark);
  };
  return {
    require({ signature = "" }, timeMs) {
      const mark = markOf(signature);
      const isKnown = recent.has(mark) || older.has(mark);
      note(mark, timeMs);
      if (isKnown) throw new DialectRefusal(-1022, "Signature for this request is not valid.");
    },
    note: ({ signature = "" }, timeMs) => note(markOf(signature), timeMs),
  };
}

const HALF = 2 ** 26;

/**
 * What is kept of a signature: 52 bits. The same signature has the same; among two hundred thousand others a collision
 * occurs once in twenty thousand million calls, and that call must be signed again.
 */
function markOf(signature: string): number {
  let [left, right] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < signature.length; at += 1) {
    const letter = signature.charCodeAt(at);
    left = Math.imul(left ^ letter, 0x01000193);
    right = Math.imul(right ^ letter, 0x5bd1e995);
    right ^= right >>> 15;
  }
  return (left >>> 6) * HALF + (right >>> 6) + 1;
}

/**
 * Numbers stored where their value hashes to, or in the next free slot. Hundreds of thousands of strings, each alive
 * for a minute, would cost more garbage collection than everything else about a signature.
 */
class Lot {
  readonly #places: Float64Array;
  size = 0;

  constructor(max: number) {
    let places = 16;
    while (places < max * 2) places *= 2;
    this.#places = new Float64Array(places);
  }

  has(mark: number): boolean {
    return this.#places[this.#find(mark)] === mark;
  }

  add(mark: number): void {
    const at = this.#find(mark);
    if (this.#places[at] === mark) return;
    this.#places[at] = mark;
    this.size += 1;
  }

  clear(): void {
    if (this.size > 0) this.#places.fill(0);
    this.size = 0;
  }

  #find(mark: number): number {
    const places = this.#places;
    const last = places.length - 1;
    let at = (mark | 0) & last;
    while (places[at] !== 0 && places[at] !== mark) at = (at + 1) & last;
    return at;
  }
}

/** A client order id of an order whose client named none: the same call gives the same one. */
export function nameBySignature(signature: string | undefined, requestId: string, part = ""): string {
  const digest = createHash("sha256")
    .update(`${signature ?? requestId}${part}`)
    .digest("base64url");
  return digest.replaceAll("_", "A").slice(0, 22);
}
