// One intent, one id: a user's request keeps its id until the exchange has answered definitely, so that a lost answer
// and a second click count once. Other contents are another intent. Outlives its dialog.
import type { Answer } from "./answer.ts";

/** After this long the same contents are a new intent: a click an hour later is no retry. */
export const INTENT_KEPT_MS = 10 * 60_000;
const UNDER_WAY_MAX = 100;
const STORAGE_KEY = "cw_intents";

/** Refused before the request was read: the caller, the rate, and whether the call came from this site. */
const UNREAD = new Set([401, 403, 408, 425, 429]);

/**
 * The answer may be lost though the action happened: only a success or a refusal of the action itself decides. Another
 * click after a lost one may be refused at the edge, which says nothing of the first.
 */
export function isDecided(answer: Answer<unknown>): boolean {
  if (answer.ok) return true;
  const { kind, status = 0 } = answer.err;
  return kind === "refused" && status < 500 && !UNREAD.has(status);
}

interface Sent {
  readonly id: string;
  readonly atMs: number;
}

let known: Map<string, Sent> | undefined;

/** The intents of this page and of an earlier page in the same tab. */
function underWay(): Map<string, Sent> {
  known ??= readKept();
  return known;
}

function readKept(): Map<string, Sent> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]"));
  } catch {
    // No storage, or not ours: memory has to do.
    return new Map();
  }
}

function keep(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...underWay()]));
  } catch {
    // As above.
  }
}

function open(key: string, mint: () => string, nowMs: number): Sent {
  const sents = underWay();
  const before = sents.get(key);
  if (before !== undefined && nowMs - before.atMs < INTENT_KEPT_MS) return before;
  const sent = { id: mint(), atMs: nowMs };
  sents.delete(key);
  sents.set(key, sent);
  const oldest = sents.keys().next().value;
  if (sents.size > UNDER_WAY_MAX && oldest !== undefined) sents.delete(oldest);
  keep();
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
  if (isDecided(answer) && underWay().get(key) === sent) {
    underWay().delete(key);
    keep();
  }
  return answer;
}
