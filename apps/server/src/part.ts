// What every part of the server looks like, and the one context all parts are made from. Owns the words only: compose
// makes the parts, starts them in order and closes them in the reverse order.
import type { Permissions } from "@clockwork/identity/operators/rules";
import type { Audit } from "@clockwork/kit/audit";
import type { Clock } from "@clockwork/kit/clock";
import type { Jobs } from "@clockwork/kit/job";
import type { RouteContext, RouteSpec } from "@clockwork/kit/route";
import type { FastifyInstance } from "fastify";
import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import type { EngineHandle } from "./engine/handle.ts";
import type { Follower } from "./engine/projected-engine.ts";
import type { CallOptions } from "./http/call.ts";
import type { Identifier } from "./http/identify.ts";
import type { InternalCalls } from "./http/internal-calls.ts";
import type { Metrics } from "./http/metrics.ts";
import type { ReadinessCheck } from "./http/system.ts";
import type { Accounts, Ledger, Market, MarketMode } from "./offers.ts";
import type { Pictures } from "./pictures/pictures.ts";
import type { Channel } from "./socket/channel.ts";
import type { Door } from "./socket/gate.ts";
import type { Hub } from "./socket/hub.ts";
import type { SocketIdentifier } from "./socket/protocol.ts";
import type { Database } from "./storage/database.ts";

/** A product or a service of the process. Everything is optional: a part says only what it has. */
export interface Part {
  /** Calls; each says by `bases` whether it answers below /api (the default), below /futuresapi or at the root. */
  readonly routes?: readonly RouteSpec[];
  readonly channels?: readonly Channel[];
  /** Take the engine's events from the first on, with a cursor of their own; closed after the engine. */
  readonly followers?: readonly PartFollower[];
  /** Ways to prove who calls, asked in the order of the parts. */
  readonly identifiers?: readonly Identifier[];
  /** Ways to prove who a socket belongs to, asked in the order of the parts. */
  readonly socketIdentifiers?: readonly SocketIdentifier[];
  /** Why the process may not be ready. */
  readonly readiness?: readonly ReadinessCheck[];
  /** Sockets of another dialect at addresses of their own; opened by the same rules as ours. */
  readonly doors?: readonly Door[];
  /** Of one part alone: which calls wait for the end of an announced maintenance. */
  readonly findResting?: CallOptions["findResting"];
  /** Mounts what is no route: files, pictures, other dialects of the API. */
  mount?(app: FastifyInstance): void;
  /** Runs once the engine has started, before anybody is served; parts start one after the other. */
  start?(): Promise<void> | void;
  /** Ends what start began. Also called when start failed half-way. */
  close?(): Promise<void> | void;
}

export interface PartFollower extends Follower {
  close?(): Promise<void>;
}

/** What sockets are told. Before they are open, nobody listens and nothing happens. */
export interface Live extends Pick<Hub, "publish" | "isOpen" | "tap"> {
  /** Ends every socket that signed in with one of these sessions. */
  endSessions(sessionIds: readonly string[]): void;
}

/** What the first parts are made from; later ones also get what those offer. */
export interface BaseContext {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly database: Pick<Database, "kysely" | "aside">;
  /** Takes commands once it has started; parts are made before. */
  readonly engine: EngineHandle;
  readonly live: Live;
  /** Whose account is whose, and what accounts have. */
  readonly ledger: Ledger;
  /** Draws the pictures people send anew, all of them in one bounded process. */
  readonly pictures: Pick<Pictures, "redraw">;
  /** Routes called from inside, with the caller said outright; once everything is mounted. */
  readonly calls: Pick<InternalCalls, "call">;
  /** Work that is due at times; a part adds its own while it is made. */
  readonly jobs: Jobs;
  /** Numbers for whoever watches the process. */
  readonly metrics: Metrics;
  /** The repository's root, where texts and seeds lie. */
  readonly rootFolder: string;
  readonly marketMode: MarketMode;
  /** The default run: coins are worth nothing and whoever tries the product may ask for some. */
  readonly isTestMoney: boolean;
  /** Tells whoever started the process what only he may read; absent when nobody watches. */
  readonly announce: ((line: string) => void) | undefined;
}

export interface PartContext extends BaseContext {
  readonly accounts: Accounts;
  readonly market: Market;
  /** Where operators' actions are written down before they count. */
  readonly audit: Audit;
  /** Where a part registers what operators may do with it, before it names that in a route's scope. */
  readonly permissions: Pick<Permissions, "add">;
  /** For what an operator's route shows to some roles alone; the route's own scope says who may call it at all. */
  readonly mayOperate: (context: RouteContext, permission: string) => Promise<boolean>;
}

/** A part that certainly has these. */
export type PartWith<Name extends keyof Part> = Omit<Part, Name> & Required<Pick<Part, Name>>;

/** Start and close of a part whose start answers with the way to end it. */
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
