// What a program signs of a call of our own API: time, method, path with its query, and body, each on a line of its own.

import type { Call } from "@clockwork/host/call";
import type { KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import { isInWindow, isSigned, RECV_WINDOW_DEFAULT_MS, RECV_WINDOW_MAX_MS } from "@clockwork/identity/apikeys/rules";
import { plainSignature } from "../dialect/request.ts";

export const KEY_HEADER = "x-cw-key";
export const TIME_HEADER = "x-cw-time";
export const SIGNATURE_HEADER = "x-cw-signature";
const WINDOW_HEADER = "x-cw-window";

/** Why a call is no call of the key's owner; the codes are those of the answer. */
export type ProofRefusal = "SIGNATURE_MISSING" | "TIME_INVALID" | "SIGNATURE_INVALID";

export interface SignedCall {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly body: string;
  readonly headers: Call["headers"];
}

export const signedText = (timeMs: number | string, { method, url, body }: Omit<SignedCall, "headers">): string =>
  `${timeMs}\n${method}\n${url}\n${body}`;

const readWhole = (text: string | readonly string[] | undefined): number | undefined =>
  typeof text === "string" && /^[0-9]{1,16}$/.test(text) ? Number(text) : undefined;

/** The signature in its one way of writing. */
export function readSignature({ headers }: Pick<SignedCall, "headers">): string | undefined {
  const text = headers[SIGNATURE_HEADER];
  return typeof text === "string" && text !== "" ? plainSignature(text) : undefined;
}

/** Undefined where the call is signed by the key just now. */
export function findProofRefusal(
  { proof }: Pick<KeyHolder, "proof">,
  call: SignedCall,
  nowMs: number,
): ProofRefusal | undefined {
  const time = readWhole(call.headers[TIME_HEADER]);
  const signature = readSignature(call);
  if (time === undefined || signature === undefined) return "SIGNATURE_MISSING";
  const windowMs = readWhole(call.headers[WINDOW_HEADER]) ?? RECV_WINDOW_DEFAULT_MS;
  if (windowMs > RECV_WINDOW_MAX_MS || !isInWindow(time, windowMs, nowMs)) return "TIME_INVALID";
  return isSigned(proof, signedText(time, call), signature) ? undefined : "SIGNATURE_INVALID";
}
