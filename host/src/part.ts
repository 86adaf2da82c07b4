// The shape of every part of the server, and the context the first parts are made from. Declarations only: the server
// makes the parts, starts them in order and closes them in the reverse order.

import type { Redrawn, RedrawOptions } from "@clockwork/kit/picture";
import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Registry } from "prom-client";
import type { Calls, FindResting, Identifier } from "./call.ts";
import type { Channel, Door, Live, SocketIdentifier } from "./channel.ts";
import type { Clock } from "./clock.ts";
import type { EngineHandle, Follower } from "./engine.ts";
import type { Jobs } from "./job.ts";
import type { Log } from "./log.ts";
import type { RouteSpec } from "./route.ts";
import type { Config } from "./settings/config.ts";

/** A product or a service of the process. Everything is optional: a part lists only what it has. */
export interface Part {
  /** Calls; `bases` of each decides whether it is served below /api (the default), below /futuresapi or at the root. */
  readonly routes?: readonly RouteSpec[];
  readonly channels?: readonly Channel[];
  /** Take the engine's events from the first on, with a cursor of their own; closed after the engine. */
  readonly followers?: readonly PartFollower[];
  /** Ways to authenticate a call, tried in the order of the parts. */
  readonly identifiers?: readonly Identifier[];
  /** Ways to authenticate a socket, tried in the order of the parts. */
  readonly socketIdentifiers?: readonly SocketIdentifier[];
  /** Why the process may not be ready. */
  readonly readiness?: readonly ReadinessCheck[];
  /** Sockets of another dialect at addresses of their own; admitted by the same rules as ours. */
  readonly doors?: readonly Door[];
  /** In one part only: which calls wait for the end of an announced maintenance. */
  readonly findResting?: FindResting;
  /** Mounts anything but routes: files, pictures, other dialects of the API. */
  mount?(app: FastifyInstance): void;
  /** Runs once the engine has started, before the first request; parts start one after the other. */
  start?(): Promise<void> | void;
  /** Stops what start began. Also called when start failed half-way. */
  close?(): Promise<void> | void;
}

export interface PartFollower extends Follower {
  close?(): Promise<void>;
}

/** The context of the first parts; later ones also get what those offer. */
export interface BaseContext {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly database: Tables;
  readonly engine: EngineHandle;
  readonly live: Live;
  /** Re-encodes uploaded pictures, all in one bounded process. */
  readonly pictures: Pictures;
  /** Routes called from inside, with an explicit caller; available once everything is mounted. */
  readonly calls: Calls;
  /** Work that is due at times; a part adds its own while it is made. */
  readonly jobs: Jobs;
  /** Where a part registers its figures for monitoring. */
  readonly metrics: { readonly registry: Registry };
  /** The repository's root, with texts and seeds. */
  readonly rootFolder: string;
  readonly marketMode: MarketMode;
  /** Whether a socket is open or a request came in the last minutes. */
  readonly isVisited: () => boolean;
  /** The default run: coins have no value and users may request some. */
  readonly isTestMoney: boolean;
  /** Prints what only the person who started the process may read; absent without a terminal. */
  readonly announce: ((line: string) => void) | undefined;
}

/**
 * off: nothing is listed, for tests of other parts. listed: the catalogue with books for customers only. simulated: the
 * same, kept active by simulated traders.
 */
export type MarketMode = "off" | "listed" | "simulated";

export interface Tables {
  /** A slice's store adds its own tables: `kysely.$extendTables<OpsTables>()`. */
  readonly kysely: Kysely<unknown>;
  /** Absent where the database is a separate process, and writing costs this one little. */
  readonly aside?: Aside;
}

/** How another thread of this process writes tables: where, and when it may. */
export interface Aside {
  /** For `openAside` of that thread. */
  readonly setup: object;
  /** No other write runs during it. */
  turn<Result>(write: () => Promise<Result>): Promise<Result>;
}

export interface Pictures {
  /** Re-encodes a picture, so that nothing hidden in the file survives; a polyglot file is refused. */
  redraw(bytes: Uint8Array, options?: RedrawOptions): Promise<Redrawn>;
}

/** A part that certainly has these. */
export type PartWith<Name extends keyof Part> = Omit<Part, Name> & Required<Pick<Part, Name>>;

/** Start and close of a part whose start returns the function that stops it. */
export function runs(begin: () => () => Promise<void> | void): Required<Pick<Part, "start" | "close">> {
  let stop: (() => Promise<void> | void) | undefined;
  return {
    start() {
      stop = begin();
    },
    async close() {
      await stop?.();
      stop = undefined;
    },
  };
}

export interface ReadinessCheck {
  readonly name: string;
  /** Resolves when ready; rejects with the reason when not. */
  check(): Promise<void>;
}

/** A reason that may be shown to the caller. */
export class NotReady extends Error {}
