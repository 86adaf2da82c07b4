// The embedded captcha's puzzle: find a number whose SHA-256 with the server's salt starts with enough zero bits. Works
// in short slices so that typing and animation never stall; never uses the network.

import { hashInPlace, paddedLength, sha256 } from "./sha256.ts";

export interface WorkChallenge {
  readonly id: string;
  /** Text chosen by the server, used once. */
  readonly salt: string;
  readonly zeroBits: number;
}

export interface WorkProof {
  readonly id: string;
  readonly nonce: string;
}

export interface SolveOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0 to 1, the share of the expected work done; remains below 1 until found. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Hands the thread back between slices. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** Four to eight milliseconds on an ordinary machine: half a frame. */
const SLICE_HASHES = 2_000;
/** Also what fits into the first word of a digest, the only word the search reads. */
const ZERO_BITS_MAX = 26;
const NONCE_DIGITS_MAX = 16;

export function countZeroBits(digest: Uint8Array): number {
  let bits = 0;
  for (const byte of digest) {
    if (byte === 0) {
      bits += 8;
      continue;
    }
    return bits + Math.clz32(byte) - 24;
  }
  return bits;
}

const encoder = new TextEncoder();

export function isProof(challenge: WorkChallenge, nonce: string): boolean {
  return countZeroBits(sha256(encoder.encode(`${challenge.salt}:${nonce}`))) >= challenge.zeroBits;
}

/** Writes the decimal digits of a number behind the salt, without making a text of it. Returns the new length. */
function writeDigits(bytes: Uint8Array, at: number, value: number): number {
  let digits = 1;
  for (let power = 10; power <= value; power *= 10) digits++;
  let rest = value;
  for (let place = at + digits - 1; place >= at; place--) {
    bytes[place] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return at + digits;
}

function searchSlice(bytes: Uint8Array, saltLength: number, from: number, zeroBits: number): number | undefined {
  for (let nonce = from; nonce < from + SLICE_HASHES; nonce++) {
    const length = writeDigits(bytes, saltLength, nonce);
    if (Math.clz32(hashInPlace(bytes, length)) >= zeroBits) return nonce;
  }
  return undefined;
}

function pauseTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Rejects when the signal is aborted or the puzzle is harder than an honest server would send. */
export async function solveWork(challenge: WorkChallenge, options: SolveOptions = {}): Promise<WorkProof> {
  if (challenge.zeroBits > ZERO_BITS_MAX) throw new Error("CAPTCHA_TOO_HARD");
  const salt = encoder.encode(`${challenge.salt}:`);
  const bytes = new Uint8Array(paddedLength(salt.length + NONCE_DIGITS_MAX));
  const expected = 2 ** challenge.zeroBits;
  const pause = options.pause ?? pauseTask;
  for (let from = 0; ; from += SLICE_HASHES) {
    options.signal?.throwIfAborted();
    // The padding of the last try is behind the salt, never in it; the salt is written again only to be plain about it.
    bytes.set(salt);
    const found = searchSlice(bytes, salt.length, from, challenge.zeroBits);
    if (found !== undefined) return { id: challenge.id, nonce: String(found) };
    // The chance that an honest search has ended by now, so the bar never runs out before the work does.
    options.onProgress?.(1 - Math.exp(-(from + SLICE_HASHES) / expected));
    await pause();
  }
}
