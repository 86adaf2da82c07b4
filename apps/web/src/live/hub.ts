// The live side of one page: a socket per URL, one feed per stream, one connection status. Shared by all screens;
// nothing is opened without listeners.
import { CONNECTION_EVENT } from "@clockwork/kit/constants";
import { topicKey } from "@clockwork/kit/wire";
import { type Clock, type Random, systemClock, systemRandom } from "./clock.ts";
import { browserOnline, type Connection, createConnection, type OnlineSource } from "./connection.ts";
import { Feed } from "./feed.ts";
import type { FeedDefinition } from "./feed-definition.ts";
import { frames } from "./frame-loop.ts";
import { createSocketPool, type LiveSocket, type SocketPool } from "./socket.ts";
import type { Scheduler } from "./store.ts";
import { openWebSocket } from "./transport.ts";

export interface LiveHub {
  readonly socket: LiveSocket;
  readonly connection: Connection;
  /** The one feed of a topic; the first definition given for it counts. */
  feed<State, Delta>(definition: FeedDefinition<State, Delta>): Feed<State, Delta>;
  /** Calls back whenever data fetched earlier may be behind: after a reconnection, and now and then while down. */
  onBehind(listener: () => void): () => void;
  close(): void;
}

/** The socket's current address, and its changes, from a domain picker. */
export interface SocketAddress {
  get(): string;
  subscribe(listener: () => void): () => void;
}

export interface LiveHubOptions {
  /** A fixed URL, or an address that may move; the socket follows it. */
  readonly url: string | SocketAddress;
  readonly pool?: SocketPool;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly schedule?: Scheduler;
  readonly online?: OnlineSource;
  readonly lingerMs?: number;
}

const LINGER_MS = 2_000;
/** Feeds without listeners keep their last value for a return visit, up to a limit. */
const IDLE_FEEDS_MAX = 64;

export function createLiveHub(options: LiveHubOptions): LiveHub {
  const clock = options.clock ?? systemClock;
  const schedule = options.schedule ?? frames.publish;
  const { url } = options;
  const pool =
    options.pool ??
    createSocketPool({
      clock,
      random: options.random ?? systemRandom,
      open: openWebSocket,
      ...(typeof url === "string" ? {} : { resolve: () => url.get() }),
    });
  const socket = pool(typeof url === "string" ? url : url.get());
  const releaseAddress = typeof url === "string" ? undefined : url.subscribe(() => socket.reconnect());
  const connection = createConnection({ socket, clock, schedule, online: options.online ?? browserOnline });
  const feeds = new Map<string, Feed<unknown, unknown>>();
  const parts = {
    socket,
    clock,
    schedule,
    reportPoll: connection.reportPoll,
    lingerMs: options.lingerMs ?? LINGER_MS,
  };

  const dropIdle = () => {
    for (const [key, feed] of feeds) {
      if (feeds.size <= IDLE_FEEDS_MAX) return;
      if (feed.isIdle) feeds.delete(key);
    }
  };

  return {
    socket,
    connection,
    feed: <State, Delta>(definition: FeedDefinition<State, Delta>) => {
      const key = topicKey(definition.topic);
      let feed = feeds.get(key) as Feed<State, Delta> | undefined;
      if (feed === undefined) {
        dropIdle();
        feed = new Feed<State, Delta>(definition, parts);
        feeds.set(key, feed as unknown as Feed<unknown, unknown>);
      }
      return feed;
    },
    onBehind: (listener) => {
      let seen = socket.phase === "open";
      const releases = [
        socket.on(CONNECTION_EVENT.http, () => listener()),
        socket.on(CONNECTION_EVENT.ok, () => {
          // The first connection of a page follows on its server-rendered data.
          if (seen) listener();
          seen = true;
        }),
      ];
      return () => {
        for (const release of releases) release();
      };
    },
    close: () => {
      releaseAddress?.();
      connection.close();
      socket.stop();
    },
  };
}
