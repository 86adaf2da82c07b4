// Identifiers minted by a client: order ids that make retries safe, request ids that connect a log to a call.
// Randomness and time are arguments, so the same inputs mint the same id.
import { PRODUCT_SHORT_NAME } from "./constants.ts";

/** Fills the array with unpredictable bytes and returns it; in browsers `crypto.getRandomValues`. */
export type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

/** Crockford's letters: no I, L, O, U, so an id read aloud is read right. */
const ID_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LETTERS = 10;
const RANDOM_LETTERS = 16;
const CLIENT_ORDER_ID_PATTERN = /^[A-Za-z0-9._:/-]{1,36}$/;

export const CLIENT_ORDER_ID_LENGTH_MAX = 36;

/** 26 letters that sort by time: 48 bits of milliseconds, then 80 random bits. */
export function mintId(nowMs: number, random: RandomSource): string {
  let time = "";
  let rest = Math.max(0, Math.floor(nowMs));
  for (let index = 0; index < TIME_LETTERS; index += 1) {
    time = ID_LETTERS.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let tail = "";
  for (const byte of random(new Uint8Array(RANDOM_LETTERS))) tail += ID_LETTERS.charAt(byte & 31);
  return time + tail;
}

/** The idempotency key of one order: minted once when the user acts, sent unchanged on every retry. */
export function mintClientOrderId(nowMs: number, random: RandomSource): string {
  return `${PRODUCT_SHORT_NAME}-${mintId(nowMs, random)}`;
}

export function mintRequestId(nowMs: number, random: RandomSource): string {
  return `req-${mintId(nowMs, random)}`;
}

/** At most 36 characters of `[A-Za-z0-9._:/-]`, from any source. */
export function isClientOrderId(text: string): boolean {
  return CLIENT_ORDER_ID_PATTERN.test(text);
}
