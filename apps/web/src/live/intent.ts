// One intent, one id: what a person asks for keeps its id until the exchange has answered for certain, so that a lost
// answer and a second press count once. Other contents are another intent. Outlives the dialog that asked.
import type { Answer } from "./answer.ts";

/** After so long the same contents are meant anew: nobody presses "again" an hour later. */
export const INTENT_KEPT_MS = 10 * 60_000;
const UNDER_WAY_MAX = 100;

/** The answer may be lost though the action stands: only a success or a plain refusal decides. */
export function isDecided(answer: Answer<unknown>): boolean {
  if (answer.ok) return true;
  return answer.err.kind === "refused" && (answer.err.status ?? 0) < 500;
}

interface Sent {
  readonly id: string;
  readonly atMs: number;
}

const underWay = new Map<string, Sent>();

function open(key: string, mint: () => string, nowMs: number): Sent {
  const known = underWay.get(key);
  if (known !== undefined && nowMs - known.atMs < INTENT_KEPT_MS) return known;
  const sent = { id: mint(), atMs: nowMs };
  underWay.delete(key);
  underWay.set(key, sent);
  const oldest = underWay.keys().next().value;
  if (underWay.size > UNDER_WAY_MAX && oldest !== undefined) underWay.delete(oldest);
  return sent;
}

/** Sends one intent of the named form; `send` gets its id, the same for the same contents until a definite answer. */
export async function sendIntent<Data>(
  form: string,
  contents: object,
  { mint, nowMs }: { readonly mint: () => string; readonly nowMs: number },
  send: (id: string) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
  const key = `${form} ${JSON.stringify(contents)}`;
  const sent = open(key, mint, nowMs);
  const answer = await send(sent.id);
  if (isDecided(answer) && underWay.get(key) === sent) underWay.delete(key);
  return answer;
}
