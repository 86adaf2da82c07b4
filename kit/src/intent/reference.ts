// The ledger's name of an intent: its user and the caller's id, within the length limit of a command.
import { toHex } from "../bytes.ts";
import { sha256 } from "../earn/sha256.ts";

const REFERENCE_LENGTH_MAX = 36;

/**
 * The head contains the kind of intent and the user, so that one user's ids never meet another's. An id that fits is
 * unchanged; a longer one is replaced by its hash, which has 80 bits and more left and can collide only within that
 * user.
 */
export function referenceOf(head: string, clientId: string, tail = ""): string {
  const whole = head + clientId + tail;
  if (whole.length <= REFERENCE_LENGTH_MAX) return whole;
  const hash = toHex(sha256(Uint8Array.from(clientId, (letter) => letter.charCodeAt(0))));
  return head + hash.slice(0, REFERENCE_LENGTH_MAX - head.length - tail.length) + tail;
}
