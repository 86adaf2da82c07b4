// The embedded puzzle: its generation and the proof of its solution. A puzzle carries its own proof of origin, so that
// the server need not store it.
import { createHash, timingSafeEqual } from "node:crypto";

export interface WorkPuzzle {
  readonly id: string;
  readonly salt: string;
  readonly zeroBits: number;
}

/** A second of a phone's time, a blink of a computer's; a thousand tries cost a quarter of an hour. */
export const ZERO_BITS = 16;
export const PUZZLE_MS = 5 * 60_000;
const CONTEXT = "captcha";
const NONCE_MAX = 16;

type Mark = (text: string, context: string) => string;

export function makePuzzle(random: Uint8Array, nowMs: number, mark: Mark, zeroBits: number): WorkPuzzle {
  const head = `${(nowMs + PUZZLE_MS).toString(36)}.${zeroBits}.${Buffer.from(random).toString("base64url")}`;
  const id = `${head}.${mark(head, CONTEXT)}`;
  return { id, salt: id, zeroBits };
}

/** The expiry of a genuine, solved puzzle; undefined for anything else. */
export function checkProof(id: string, nonce: string, nowMs: number, mark: Mark): number | undefined {
  const parts = id.split(".");
  const [time = "", bits = "", random = "", given = ""] = parts;
  if (parts.length !== 4 || id.length > 256 || !/^\d{1,16}$/.test(nonce) || nonce.length > NONCE_MAX) return undefined;
  const wanted = Buffer.from(mark(`${time}.${bits}.${random}`, CONTEXT));
  const found = Buffer.from(given);
  if (wanted.length !== found.length || !timingSafeEqual(wanted, found)) return undefined;
  const expiresMs = Number.parseInt(time, 36);
  if (!(expiresMs > nowMs)) return undefined;
  return countZeroBits(createHash("sha256").update(`${id}:${nonce}`).digest()) >= Number(bits) ? expiresMs : undefined;
}

export function countZeroBits(digest: Uint8Array): number {
  let bits = 0;
  for (const byte of digest) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}
