// The embedded captcha's puzzle: find a number whose SHA-256 with the server's salt begins with enough zero bits.
// Works in short slices so that typing and animation never stall; never talks to the network.

import { sha256 } from "./sha256.ts";

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
  /** 0 to 1, the share of the expected work done; stays below 1 until found. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Hands the thread back between slices. */
  readonly pause?: (() => Promise<void>) | undefined;
}

const SLICE_HASHES = 1_500;
const ZERO_BITS_MAX = 26;

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

function pauseTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Rejects when the signal is aborted or the puzzle is harder than an honest server would ask. */
export async function solveWork(challenge: WorkChallenge, options: SolveOptions = {}): Promise<WorkProof> {
  if (challenge.zeroBits > ZERO_BITS_MAX) throw new Error("CAPTCHA_TOO_HARD");
  const expected = 2 ** challenge.zeroBits;
  const pause = options.pause ?? pauseTask;
  for (let from = 0; ; from += SLICE_HASHES) {
    options.signal?.throwIfAborted();
    for (let nonce = from; nonce < from + SLICE_HASHES; nonce++) {
      if (isProof(challenge, String(nonce))) return { id: challenge.id, nonce: String(nonce) };
    }
    // The chance that an honest search has ended by now, so the bar never runs out before the work does.
    options.onProgress?.(1 - Math.exp(-(from + SLICE_HASHES) / expected));
    await pause();
  }
}
