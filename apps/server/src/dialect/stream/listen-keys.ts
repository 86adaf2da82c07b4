// Names of user streams, valid for an hour and prolonged on request. In memory: a client creates a new one.
import { randomBytes } from "node:crypto";
import type { Clock } from "@clockwork/host/clock";
import type { ApiKeyReading, KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import { DialectRefusal } from "../refusal.ts";
import type { Changed } from "./key-watch.ts";

const LISTEN_MS = 60 * 60_000;
const LISTEN_KEYS_MAX = 100_000;
const badListenKey = (): DialectRefusal => new DialectRefusal(-1125, "This listenKey does not exist.");

export interface ListenKey {
  readonly text: string;
  readonly apiKey: string;
  readonly userId: number;
  endsMs: number;
  /** Its subscribers, called when it ends. */
  readonly ends: Set<() => void>;
  cancel: () => void;
}

export interface ListenKeyParts {
  readonly reading: Pick<ApiKeyReading, "find">;
  readonly clock: Pick<Clock, "now" | "at">;
}

export function listenKeyRing({ reading, clock }: ListenKeyParts) {
  const keys = new Map<string, ListenKey>();
  const byApiKey = new Map<string, ListenKey>();
  const end = (known: ListenKey): void => {
    known.cancel();
    keys.delete(known.text);
    if (byApiKey.get(known.apiKey) === known) byApiKey.delete(known.apiKey);
    for (const publish of [...known.ends]) publish();
    known.ends.clear();
  };
  /** A key prolonged in between is checked again. */
  const arm = (known: ListenKey): void => {
    known.cancel = clock.at(known.endsMs, () => (known.endsMs > clock.now() ? arm(known) : end(known)));
  };
  const find = (text: string): ListenKey | undefined => {
    const known = keys.get(text);
    if (known === undefined || known.endsMs > clock.now()) return known;
    end(known);
    return undefined;
  };
  const need = (holder: KeyHolder, text: string): ListenKey => {
    const found = find(text);
    if (found === undefined || found.userId !== holder.userId) throw badListenKey();
    return found;
  };
  return {
    find,
    /** The key's own, made or made to last. */
    open({ apiKey, userId }: KeyHolder): string {
      const endsMs = clock.now() + LISTEN_MS;
      const own = byApiKey.get(apiKey);
      const known = own === undefined ? undefined : find(own.text);
      if (known !== undefined) {
        known.endsMs = endsMs;
        return known.text;
      }
      const [oldest] = keys.size >= LISTEN_KEYS_MAX ? keys.values() : [];
      if (oldest !== undefined) end(oldest);
      const text = randomBytes(45).toString("base64url").replaceAll(/[-_]/g, "x");
      const made = { text, apiKey, userId, endsMs, ends: new Set<() => void>(), cancel: () => undefined };
      keys.set(text, made);
      byApiKey.set(apiKey, made);
      return text;
    },
    prolong(holder: KeyHolder, text: string): void {
      need(holder, text).endsMs = clock.now() + LISTEN_MS;
    },
    close: (holder: KeyHolder, text: string): void => end(need(holder, text)),
    /** Calls `publish` when the name expires; the returned function removes it. */
    onEnd(known: ListenKey, publish: () => void): () => void {
      if (known.ends.size === 0) arm(known);
      known.ends.add(publish);
      return () => {
        known.ends.delete(publish);
        if (known.ends.size === 0) known.cancel();
      };
    },
    /** Those of keys that are no more; a key that was only changed keeps its own. */
    async check(changed: Changed): Promise<void> {
      for (const known of [...keys.values()]) {
        if (changed.apiKey !== known.apiKey && changed.userId !== known.userId) continue;
        const found = await reading.find(known.apiKey, "", clock.now());
        if (!found.done && found.code === "KEY_UNKNOWN") end(known);
      }
    },
  };
}
