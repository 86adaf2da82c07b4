// Who hears which user's stream in the Binance dialect: one feed per user however many hear it, reached by a listen key
// or by a signed subscription. Ends with the key it was asked for by.
import { randomBytes } from "node:crypto";
import type { ApiKeyReading, KeyHolder } from "@clockwork/domains/apikeys/reading-service";
import type { Log } from "../../log.ts";
import type { Endpoint } from "../endpoint.ts";
import { holderOf } from "../endpoint.ts";
import { DialectRefusal } from "../refusal.ts";
import { type Connection, newsOf } from "./connection.ts";

export interface UserStreamParts {
  readonly reading: ApiKeyReading;
  readonly clock: () => number;
  readonly log: Log;
  /** Begins a user's events; the answer ends them. */
  readonly follow: (userId: number, tell: (event: object) => void) => Promise<() => void>;
}

interface Hearer {
  readonly apiKey: string;
  readonly connection: Connection;
  tell(event: object): void;
}

interface Feed {
  readonly hearers: Set<Hearer>;
  readonly stop: Promise<() => void>;
}

interface ListenKey {
  readonly apiKey: string;
  readonly userId: number;
  endsMs: number;
}

const LISTEN_MS = 60 * 60_000;
const LISTEN_KEYS_MAX = 100_000;
const badListenKey = (): DialectRefusal => new DialectRefusal(-1125, "This listenKey does not exist.");

export type UserStreams = ReturnType<typeof userStreams>;

export function userStreams(parts: UserStreamParts) {
  const feeds = userFeeds(parts);
  const keys = listenKeyRing(parts.clock);
  return {
    hear: feeds.hear,
    /** A session this key was proved for once: it ends with the key, whether or not it hears anything. */
    bind: feeds.bind,
    unbind: feeds.unbind,
    leave: feeds.leave,
    isHeard: feeds.isHeard,
    /** Tells whoever hears this user what his own feed does not say. */
    tell: feeds.tell,
    /** A key changed or its owner was signed out: whoever may no longer hear is cut off. */
    async check(changed: { readonly apiKey?: string; readonly userId?: number }): Promise<void> {
      keys.forget(changed);
      await feeds.check(changed);
    },
    open: keys.open,
    prolong: keys.prolong,
    close: keys.close,
    /** False when this names no stream. */
    joinByListenKey(connection: Connection, text: string): boolean {
      const found = keys.find(text);
      if (found === undefined) return false;
      const { apiKey, userId } = found;
      feeds.hear(userId, { apiKey, connection, tell: (event) => connection.tell(newsOf(text, event)) });
      return true;
    },
  };
}

function userFeeds({ reading, clock, log, follow }: UserStreamParts) {
  const feeds = new Map<number, Feed>();
  const bound = new Map<Connection, Pick<KeyHolder, "apiKey" | "userId">>();
  const isDead = async (apiKey: string, { address }: Connection): Promise<boolean> =>
    !(await reading.find(apiKey, address, clock())).done;
  const start = (userId: number): Feed => {
    const hearers = new Set<Hearer>();
    const stop = follow(userId, (event) => {
      for (const one of hearers) one.tell(event);
    }).catch((error: unknown) => {
      log.warn("dialect.user.failed", { error });
      for (const one of hearers) one.connection.end(1011, "Internal error");
      return () => undefined;
    });
    const feed = { hearers, stop };
    feeds.set(userId, feed);
    return feed;
  };
  const leave = (userId: number, hearer: Hearer): void => {
    const feed = feeds.get(userId);
    if (feed === undefined || !feed.hearers.delete(hearer) || feed.hearers.size > 0) return;
    feeds.delete(userId);
    void feed.stop.then((stop) => stop());
  };
  return {
    leave,
    isHeard: (userId: number): boolean => feeds.has(userId),
    tell(userId: number, event: object): void {
      for (const one of feeds.get(userId)?.hearers ?? []) one.tell(event);
    },
    hear(userId: number, hearer: Hearer): void {
      (feeds.get(userId) ?? start(userId)).hearers.add(hearer);
      hearer.connection.onClose(() => leave(userId, hearer));
    },
    bind(connection: Connection, { apiKey, userId }: KeyHolder): void {
      if (!bound.has(connection)) connection.onClose(() => bound.delete(connection));
      bound.set(connection, { apiKey, userId });
    },
    unbind: (connection: Connection): void => void bound.delete(connection),
    async check(changed: { readonly apiKey?: string; readonly userId?: number }): Promise<void> {
      for (const [userId, { hearers }] of feeds) {
        for (const hearer of hearers) {
          if (changed.apiKey !== hearer.apiKey && changed.userId !== userId) continue;
          if (!(await isDead(hearer.apiKey, hearer.connection))) continue;
          hearer.tell({ e: "eventStreamTerminated", E: clock() });
          hearer.connection.end(1008, "API key revoked");
        }
      }
      for (const [connection, { apiKey, userId }] of bound) {
        if (changed.apiKey !== apiKey && changed.userId !== userId) continue;
        if (await isDead(apiKey, connection)) connection.end(1008, "API key revoked");
      }
    },
  };
}

/** Names of user streams, good for an hour and longer when asked for again. In memory: a client makes a new one. */
function listenKeyRing(clock: () => number) {
  const keys = new Map<string, ListenKey>();
  const find = (text: string): ListenKey | undefined => {
    const found = keys.get(text);
    return found !== undefined && found.endsMs > clock() ? found : undefined;
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
      const endsMs = clock() + LISTEN_MS;
      for (const [text, known] of keys) {
        if (known.apiKey !== apiKey || known.endsMs <= clock()) continue;
        known.endsMs = endsMs;
        return text;
      }
      if (keys.size >= LISTEN_KEYS_MAX) keys.delete(keys.keys().next().value ?? "");
      const text = randomBytes(45).toString("base64url").replaceAll(/[-_]/g, "x");
      keys.set(text, { apiKey, userId, endsMs });
      return text;
    },
    prolong(holder: KeyHolder, text: string): void {
      need(holder, text).endsMs = clock() + LISTEN_MS;
    },
    close(holder: KeyHolder, text: string): void {
      need(holder, text);
      keys.delete(text);
    },
    forget(changed: { readonly apiKey?: string; readonly userId?: number }): void {
      for (const [text, { apiKey, userId }] of keys) {
        if (changed.apiKey === apiKey || changed.userId === userId) keys.delete(text);
      }
    },
  };
}

/** Listen keys are asked for with the key alone. */
export function listenKeyEndpoints(streams: UserStreams, path: string, isNamed: boolean): readonly Endpoint[] {
  const keyed = { path, security: "key", weight: 2 } as const;
  return [
    { ...keyed, method: "POST", handle: (call) => ({ listenKey: streams.open(holderOf(call)) }) },
    {
      ...keyed,
      method: "PUT",
      handle: (call) => {
        const holder = holderOf(call);
        const text = isNamed
          ? call.parameters.needText("listenKey")
          : (call.parameters.text("listenKey") ?? streams.open(holder));
        streams.prolong(holder, text);
        return isNamed ? {} : { listenKey: text };
      },
    },
    {
      ...keyed,
      method: "DELETE",
      handle: (call) => {
        const holder = holderOf(call);
        streams.close(
          holder,
          isNamed ? call.parameters.needText("listenKey") : (call.parameters.text("listenKey") ?? streams.open(holder)),
        );
        return {};
      },
    },
  ];
}
