// The subscribers of user streams in the Binance dialect: one feed per user for all of them, reached by a listen key or
// by a signed subscription. Ends with the key that opened it, and with the listen key.

import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import { inBackground } from "@clockwork/host/time/background";
import type { ApiKeyReading, FoundKey, KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import type { Endpoint } from "../endpoint.ts";
import { holderOf } from "../endpoint.ts";
import { STREAMS_MAX } from "./board.ts";
import { type Connection, newsOf } from "./connection.ts";
import { type Changed, type KeyWatch, keyWatch } from "./key-watch.ts";
import { type ListenKey, listenKeyRing } from "./listen-keys.ts";

export interface UserStreamParts {
  readonly reading: ApiKeyReading;
  readonly clock: Pick<Clock, "now" | "at">;
  readonly log: Log;
  /** Starts a user's events; the returned function ends them. */
  readonly follow: (userId: number, publish: (event: object) => void) => Promise<() => void>;
}

export interface Hearer {
  readonly holder: KeyHolder;
  readonly connection: Connection;
  publish(event: object): void;
}

interface Feed {
  readonly hearers: Set<Hearer>;
  readonly stop: Promise<() => void>;
}

const REVOKED = "API key revoked";

export type UserStreams = ReturnType<typeof userStreams>;

export function userStreams(parts: UserStreamParts) {
  const watch = keyWatch(parts);
  const feeds = userFeeds(parts, watch);
  const keys = listenKeyRing(parts);
  return {
    listen: feeds.listen,
    hasListeners: feeds.hasListeners,
    /** Publishes to this user's subscribers what the feed itself does not contain. */
    publish: feeds.publish,
    ...sessions(watch),
    /** A key changed or its owner was signed out: connections without the right any more are cut off. */
    async check(changed: Changed): Promise<void> {
      await watch.check(changed);
      await keys.check(changed);
    },
    open: keys.open,
    prolong: keys.prolong,
    close: keys.close,
    /** False when this names no stream, or one that is not permitted from there. */
    async joinByListenKey(connection: Connection, text: string): Promise<boolean> {
      let known: ListenKey | undefined;
      let found: FoundKey | undefined;
      // Repeated until the key is cached: changes during the read are then observed.
      do {
        if (connection.streams.has(text)) return true;
        known = keys.find(text);
        if (known === undefined || !connection.isOpen || connection.streams.size >= STREAMS_MAX) return false;
        const nowMs = parts.clock.now();
        found = parts.reading.recall(known.apiKey, connection.address, nowMs);
        if (found === undefined && !(await parts.reading.find(known.apiKey, connection.address, nowMs)).done)
          return false;
      } while (found === undefined);
      if (!found.done) return false;
      listenByKey(parts, feeds, keys, connection, known, found.value);
      return true;
    },
  };
}

function listenByKey(
  { clock }: UserStreamParts,
  feeds: ReturnType<typeof userFeeds>,
  keys: ReturnType<typeof listenKeyRing>,
  connection: Connection,
  known: ListenKey,
  holder: KeyHolder,
): void {
  const { text } = known;
  const publish = (event: object): void => connection.publish(newsOf(text, event));
  const leave = feeds.listen({ holder, connection, publish });
  const remove = keys.onEnd(known, () => {
    publish({ e: "listenKeyExpired", E: clock.now(), listenKey: text });
    connection.streams.delete(text);
    leave();
  });
  connection.streams.set(text, () => {
    remove();
    leave();
  });
}

/** Connections authenticated once by a key: they end with the key, with or without subscriptions. */
function sessions(watch: KeyWatch) {
  const bound = new Map<Connection, () => void>();
  const unbind = (connection: Connection): void => {
    bound.get(connection)?.();
    bound.delete(connection);
  };
  return {
    unbind,
    bind(connection: Connection, holder: KeyHolder): void {
      if (!bound.has(connection)) connection.onClose(() => unbind(connection));
      bound.get(connection)?.();
      connection.userIds.add(holder.userId);
      const end = (why: "revoked" | "fault"): void =>
        why === "fault" ? connection.end(1011, "Internal error") : connection.end(1008, REVOKED);
      bound.set(connection, watch.hold({ holder, address: connection.address, end }));
    },
  };
}

function userFeeds({ clock, log, follow }: UserStreamParts, watch: KeyWatch) {
  const feeds = new Map<number, Feed>();
  const start = (userId: number): Feed => {
    const hearers = new Set<Hearer>();
    const stop = follow(userId, (event) => {
      for (const one of hearers) one.publish(event);
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
    inBackground("dialect.user", async () => (await feed.stop)());
  };
  return {
    hasListeners: (userId: number): boolean => feeds.has(userId),
    publish(userId: number, event: object): void {
      for (const one of feeds.get(userId)?.hearers ?? []) one.publish(event);
    },
    /** Of an open connection. The answer ends it, and must be called when the connection closes. */
    listen(hearer: Hearer): () => void {
      const { holder, connection } = hearer;
      const { userId } = holder;
      connection.userIds.add(userId);
      (feeds.get(userId) ?? start(userId)).hearers.add(hearer);
      const release = watch.hold({
        holder,
        address: connection.address,
        end(why) {
          leave(userId, hearer);
          if (why === "fault") return connection.end(1011, "Internal error");
          hearer.publish({ e: "eventStreamTerminated", E: clock.now() });
          return connection.end(1008, REVOKED);
        },
      });
      return () => {
        release();
        leave(userId, hearer);
      };
    },
  };
}

/** Listen keys are requested with the key alone. */
export function listenKeyEndpoints(streams: UserStreams, path: string, isNamed: boolean): readonly Endpoint[] {
  const keyed = { path, security: "key", weight: isNamed ? 2 : 1 } as const;
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
