// What is held open by a key, and lets go when the key may no longer: at the moment its time is over, and whenever it
// or its owner changed.

import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import type { ApiKeyReading, FoundKey, KeyHolder } from "@clockwork/identity/apikeys/reading-service";

export interface KeyWatchParts {
  readonly reading: Pick<ApiKeyReading, "find">;
  readonly clock: Pick<Clock, "now" | "at">;
  readonly log: Log;
}

/** A key, or all of a user's. */
export interface Changed {
  readonly apiKey?: string;
  readonly userId?: number;
}

/** `end` is called once, when it must be released; a fault means that the check failed. */
export interface Held {
  readonly holder: KeyHolder;
  readonly address: string;
  readonly end: (why: "revoked" | "fault") => void;
}

interface Entry extends Held {
  cancel: () => void;
}

export type KeyWatch = ReturnType<typeof keyWatch>;

export function keyWatch({ reading, clock, log }: KeyWatchParts) {
  const held = new Set<Entry>();
  const release = (entry: Entry): void => {
    entry.cancel();
    held.delete(entry);
  };
  const arm = (entry: Entry, expiresAtMs: number): void => {
    entry.cancel();
    entry.cancel = expiresAtMs === 0 ? () => undefined : clock.at(expiresAtMs, () => look(entry));
  };
  const look = async (entry: Entry): Promise<void> => {
    let found: FoundKey | undefined;
    try {
      found = await reading.find(entry.holder.apiKey, entry.address, clock.now());
    } catch (error) {
      log.warn("dialect.key.failed", { error });
    }
    if (!held.has(entry)) return;
    if (found?.done === true) return arm(entry, found.value.expiresAtMs);
    release(entry);
    entry.end(found === undefined ? "fault" : "revoked");
  };
  return {
    /** The returned function releases it. */
    hold(one: Held): () => void {
      const entry: Entry = { ...one, cancel: () => undefined };
      held.add(entry);
      arm(entry, one.holder.expiresAtMs);
      return () => release(entry);
    },
    async check({ apiKey, userId }: Changed): Promise<void> {
      for (const entry of held) {
        if (entry.holder.apiKey === apiKey || entry.holder.userId === userId) await look(entry);
      }
    },
  };
}
