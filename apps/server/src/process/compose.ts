// What the process is made of, and the order in which everything is opened and closed. Contains no logic of its own; a
// new product is one more line in the list of products.

import { inviteStore } from "@clockwork/growth/invite/store";
import { vipStore } from "@clockwork/growth/vip/store";
import type { Live } from "@clockwork/host/channel";
import type { CoreHealth, Follower, TablesReading } from "@clockwork/host/engine";
import type { Log } from "@clockwork/host/log";
import type { BaseContext, MarketMode, Part } from "@clockwork/host/part";
import { NotReady } from "@clockwork/host/part";
import type { Config } from "@clockwork/host/settings/config";
import { reportBackground } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import { accountsPart } from "@clockwork/identity/accounts/accounts";
import type { HashPool } from "@clockwork/identity/accounts/hash-pool";
import { type OperatorGuard, operatorGuard } from "@clockwork/identity/accounts/operator-guard";
import type { Permissions } from "@clockwork/identity/operators/rules";
import type { IdentityPorts } from "@clockwork/identity/ports";
import { clockStore } from "@clockwork/platform/clock/store";
import { jobsPart } from "@clockwork/platform/jobs/part";
import type { PartContext } from "@clockwork/trading/context";
import { holdsAssets } from "@clockwork/trading/ledger/holdings";
import type { Ledger } from "@clockwork/trading/ledger/offer";
import { ledgerPart } from "@clockwork/trading/ledger/part";
import { marketPart } from "@clockwork/trading/market/part";
import { restrictionStore } from "@clockwork/trading/restrictions/store";
import { seedsPart } from "@clockwork/trading/seeds/part";
import type { FastifyInstance } from "fastify";
import { openClock, type ServerClock } from "../clock/clock.ts";
import type { EngineOptions } from "../engine/engine.ts";
import { type FolderProblem, FolderWatch } from "../engine/folder-watch.ts";
import { type BoundEngine, type EnginePart, engineHandle } from "../engine/handle.ts";
import { nameRelease } from "../engine/release.ts";
import { type AppParts, buildApp } from "../http/app.ts";
import { type InternalCalls, internalCalls } from "../http/internal-calls.ts";
import { createMetrics, type Metrics } from "../http/metrics.ts";
import { closeApp } from "../http/shutdown.ts";
import type { SystemStatus } from "../http/system.ts";
import { openPictures } from "../pictures/pictures.ts";
import { checkReplay } from "../projectors/replay-check.ts";
import { ROOT_FOLDER } from "../root-folder.ts";
import { mountSockets, type Sockets } from "../socket/gate.ts";
import { authenticateBy } from "../socket/protocol.ts";
import { statusChannel } from "../socket/status.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../storage/database.ts";
import { lockFolder } from "../storage/lock.ts";
import { requireDatabaseFile, requireTables } from "../storage/lost-tables.ts";
import { collectMigrations, migrate } from "../storage/migrations.ts";
import { archivePlaceOf } from "./archive-place.ts";
import { clockPart } from "./clock-part.ts";
import { listProducts } from "./products.ts";

export type EngineStart = Required<
  Pick<EngineOptions, "folder" | "release" | "replayOthers" | "archive" | "room" | "onProgress" | "onNote" | "onAlarm">
> & {
  readonly kysely: Database["kysely"];
  readonly aside: Database["aside"];
  readonly followers: readonly Follower[];
  readonly clock: ServerClock;
};

export interface ComposeOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** Called before each step starts. */
  readonly report?: (step: string) => void;
  /** Called once with what only a person at this machine may read: the operator's first password. */
  readonly announce?: (line: string) => void;
  /** Without one the core remains "starting" for ever; only tests and tools that never trade leave it out. */
  readonly startEngine?: (options: EngineStart) => Promise<EnginePart>;
  readonly pages?: AppParts["pages"];
  /** Left out, nothing is listed and no market maker runs. */
  readonly market?: MarketMode;
  /**
   * Left out, a pool with its own threads; tests that are not about passwords pass a free one. Closed with the process.
   */
  readonly passwords?: HashPool;
  /** Left out, its own; tests move theirs. Closed with the process. */
  readonly clock?: ServerClock;
  /**
   * Left out, seconds: a reader gets an answer without the newest rather than wait. Tests, whose tables may lag for
   * long, wait for it.
   */
  readonly settleMsMax?: number;
  /** Left out, the database's default timeout and threads; the simulation, which has its own clock, passes others. */
  readonly database?: Pick<DatabaseOptions, "transactionMaxMs" | "startWorker">;
  /** In addition to the list; tests mount their own parts with it. */
  readonly moreParts?: (context: PartContext) => readonly Part[];
}

export interface Clockwork {
  readonly app: FastifyInstance;
  readonly sockets: Sockets;
  /** Ends requests and sockets within the deadline, then the parts behind them. */
  close(): Promise<void>;
}

/** How to take apart what has been put together so far, in the order it was. */
type Undo = (() => Promise<void> | void)[];

/** The end of a killed process may be detected late. */
const CLAIM_WAIT_MS = 10_000;

export async function compose(options: ComposeOptions): Promise<Clockwork> {
  const { config, log, report = () => undefined } = options;
  reportBackground((name, error) => log.error("background.failed", { name, error }));
  const undo: Undo = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    // What cannot be ended in order, such as tables without their database, keeps nothing else open.
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        log.error("stop.step.failed", { error });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };

  try {
    const database = await openStorage(options, undo);
    const clock = options.clock ?? (await startClock(database, log));
    undo.push(() => clock.close());
    const engine = engineHandle();
    const metrics = createMetrics({
      processMetrics: true,
      readEngine: () => readEngine(engine.handle.health()),
      readClock: clock.read,
      readTables: engine.handle.tables,
    });
    const calls = internalCalls();
    const opened: { sockets?: Sockets } = {};
    const pictures = openPictures();
    undo.push(() => pictures.close());
    const beginning = {
      config,
      log,
      clock,
      database,
      engine: engine.handle,
      live: liveOf(opened),
      pictures,
      calls,
      metrics,
      rootFolder: ROOT_FOLDER,
      marketMode: options.market ?? "off",
      isVisited: () => metrics.visits.isRecent() || (opened.sockets?.connections ?? 0) > 0,
      isTestMoney: config.mode !== "production",
      announce: options.announce,
    };
    const { context, parts, permit } = await makeParts(options, beginning, clock);
    // Parts end before the engine does, and also when the engine never came up.
    const closeParts = closerOf(parts);
    undo.push(closeParts);
    await openEngine(options, { database, clock }, engine, parts, undo);
    undo.push(closeParts);

    report("preparing the server");
    const status = statusOf(options.version, context, engine, clock);
    const folder = new FolderWatch(config.folder);
    await folder.look();
    const checks = [
      { name: "disk", check: async () => requireWhole(await folder.look()) },
      { name: "database", check: () => database.health() },
      { name: "engine", check: async () => requireRunning(engine.handle.health()) },
      { name: "tables", check: async () => requireLevel(engine.handle.tables()) },
    ];
    const app = await serveParts(options, { context, metrics, parts, calls, status, checks, permit });
    const sockets = openSockets(app, { context, metrics, parts, status });
    opened.sockets = sockets;
    for (const part of parts) await part.start?.();
    undo.push(() => closeApp(app, config.shutdownMs, log));
    return { app, sockets, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What there is before the first part. */
type Beginning = Omit<BaseContext, "jobs">;

/** All others depend on the first ones. */
async function makeParts(options: ComposeOptions, beginning: Beginning, clock: ServerClock) {
  const jobs = jobsPart(beginning);
  const base: BaseContext = { ...beginning, jobs };
  const ledger = ledgerPart(base, options.settleMsMax);
  const market = await marketPart(base);
  const accounts = await accountsPart(base, identityPorts(base, ledger), options.passwords);
  const { audit, permit } = operatorGuard(accounts);
  const mayOperate: PartContext["mayOperate"] = async (call, permission) =>
    (await permit(call, permission)) === undefined;
  const context: PartContext = {
    ...base,
    ledger,
    market,
    accounts,
    audit,
    mayOperate,
    permissions: accounts.roles.permissions,
  };
  const more = options.moreParts?.(context) ?? [];
  const first = [clockPart(base, clock), ledger, seedsPart(base), market, accounts];
  // Jobs start when everything they use has started, and end before it ends.
  const parts: readonly Part[] = [...first, ...listProducts(context), ...more, jobs];
  requirePermissions(parts, accounts.roles.permissions);
  return { context, parts, permit };
}

function identityPorts({ database: { kysely }, engine }: BaseContext, ledger: Ledger): IdentityPorts {
  return {
    openBook: (userId, book, blocked) => ledger.accounts.open(userId, book, { blocked }),
    findLink: async (code) => {
      const link = await inviteStore(kysely).findLink(code);
      return link === undefined ? undefined : { ownerId: link.user_id, friendPercent: link.friend_percent };
    },
    isHeldByOperator: (userId) => restrictionStore(kysely).has(userId, "signIn"),
    vipLevelOf: vipStore(kysely).findLevel,
    holdsAssets: async (userId) => {
      // What the caller was answered is in the tables by then.
      await ledger.settled(engine.health().durableSequence);
      return holdsAssets(kysely, userId);
    },
  };
}

/** The public status of the running exchange. */
function statusOf(
  version: string,
  { market }: PartContext,
  engine: BoundEngine,
  clock: ServerClock,
): () => SystemStatus {
  const startedAt = new Date(clock.now()).toISOString();
  return () => {
    const ack = engine.times.read();
    const matched = { trades: market.data.projector.countTrades(), ...(ack === undefined ? {} : { ack }) };
    const { aheadMs, wallDriftMs } = clock.read();
    const read = engine.handle.tables();
    const tables = read === undefined ? {} : { tables: { state: read.state, forSeconds: read.forSeconds } };
    return { version, startedAt, core: engine.handle.health(), ...tables, matched, clock: { aheadMs, wallDriftMs } };
  };
}

/** A misspelt permission would shut every operator out; better that nothing starts. */
function requirePermissions(parts: readonly Part[], permissions: Pick<Permissions, "has">): void {
  for (const { scope, path } of parts.flatMap(({ routes }) => routes ?? [])) {
    if (typeof scope !== "object" || !("operator" in scope) || permissions.has(scope.operator)) continue;
    throw new Error(`${path} asks for ${scope.operator}, which no role has`);
  }
}

/** The last one first, and each of them once. */
function closerOf(parts: readonly Part[]): () => Promise<void> {
  const open = [...parts];
  return async () => {
    for (const part of open.splice(0).reverse()) await part.close?.();
  };
}

/** Sockets are opened last; parts look them up when they publish. */
function liveOf(opened: { readonly sockets?: Sockets }): Live {
  return {
    publish: (topic, data, extra) => opened.sockets?.hub.publish(topic, data, extra),
    isOpen: (topic, account) => opened.sockets?.hub.isOpen(topic, account) === true,
    tap: (topic, tap, account) => opened.sockets?.hub.tap(topic, tap, account),
    endSessions: (sessionIds) => opened.sockets?.endSessions(sessionIds),
  };
}

async function openStorage(options: ComposeOptions, undo: Undo): Promise<Database> {
  const { config, log, report = () => undefined } = options;
  report("locking the data folder");
  const lock = lockFolder(config.folder);
  undo.push(() => lock.release());

  const { folder, databaseUrl: url } = config;
  report(url === undefined ? "opening the embedded database" : "connecting to PostgreSQL");
  requireDatabaseFile(folder, url);
  const database = await openDatabase({
    url,
    folder,
    onDamage: (reason) => log.error("database.damaged", { reason }),
    ...options.database,
  });
  undo.push(() => database.close());
  await database.claim(CLAIM_WAIT_MS);
  await requireTables(folder, url, database.kysely);
  // What the engine would refuse is refused while the release before can still read the tables.
  checkReplay({
    folder,
    release: nameRelease(options.version, ROOT_FOLDER),
    replayOthers: config.replayOthers === "on",
  });
  await migrate(database, collectMigrations(ROOT_FOLDER), ({ name, index, total }) =>
    report(`migrating the database ${index}/${total}: ${name}`),
  );
  return database;
}

/** As far ahead as it was moved on purpose; the journal's own time is read when the engine starts. */
async function startClock(database: Database, log: Log): Promise<ServerClock> {
  const aheadMs = await clockStore(database.kysely).read();
  return openClock({ aheadMs, onNotice: (fact, fields) => log.warn(fact, fields) });
}

/** Followers take the engine's events from the first on, and are closed after the last. */
async function openEngine(
  { config, log, version, startEngine, report = () => undefined }: ComposeOptions,
  { database, clock }: { readonly database: Database; readonly clock: ServerClock },
  engine: BoundEngine,
  parts: readonly Part[],
  undo: Undo,
): Promise<void> {
  const followers = parts.flatMap((part) => part.followers ?? []);
  for (const follower of followers) undo.push(() => follower.close?.());
  report("starting the engine");
  const started = await startEngine?.({
    folder: config.folder,
    kysely: database.kysely,
    aside: database.aside,
    followers,
    clock,
    release: nameRelease(version, ROOT_FOLDER),
    replayOthers: config.replayOthers === "on",
    archive: archivePlaceOf(config),
    room: { alarmBytes: config.diskAlarmMb * 1e6, floorBytes: config.diskFloorMb * 1e6 },
    onProgress: (sequence, target) => report(`replaying the journal ${sequence}/${target}`),
    onNote: (note) => log.info("engine.noted", { note }),
    onAlarm: (reason) => log.error("engine.failed", { reason }),
  });
  if (started === undefined) return;
  undo.push(() => started.close());
  engine.bind(started);
}

interface Served {
  readonly context: PartContext;
  readonly metrics: Metrics;
  readonly parts: readonly Part[];
  readonly status: () => SystemStatus;
}

async function serveParts(
  options: ComposeOptions,
  served: Served & {
    readonly checks: NonNullable<AppParts["readiness"]>;
    readonly permit: OperatorGuard["permit"];
    readonly calls: InternalCalls;
  },
): Promise<FastifyInstance> {
  const { metrics, parts, status, checks, permit, calls } = served;
  const { config, log, clock } = served.context;
  const app = await buildApp({
    config,
    log,
    clock: clock.now,
    metrics,
    status,
    version: options.version,
    routes: parts.flatMap(({ routes }) => routes ?? []),
    identifiers: parts.flatMap(({ identifiers }) => identifiers ?? []),
    permit,
    findResting: parts.find(({ findResting }) => findResting !== undefined)?.findResting,
    calls,
    readiness: [...checks, ...parts.flatMap(({ readiness }) => readiness ?? [])],
    ...(options.pages === undefined ? {} : { pages: options.pages }),
  });
  for (const part of parts) part.mount?.(app);
  return app;
}

function openSockets(app: FastifyInstance, { context, metrics, parts, status }: Served): Sockets {
  const { config, log, clock } = context;
  const sockets: Sockets = mountSockets(app, {
    config,
    log,
    metrics,
    clock: clock.now,
    rate: measureMs,
    authenticate: authenticateBy(parts.flatMap(({ socketIdentifiers }) => socketIdentifiers ?? [])),
    doors: parts.flatMap(({ doors }) => doors ?? []),
    channels: [statusChannel(status, () => sockets.hub), ...parts.flatMap(({ channels }) => channels ?? [])],
  });
  return sockets;
}

function readEngine({ state, sequence, durableSequence }: CoreHealth) {
  return { sequence, durableSequence, running: state === "running" };
}

function requireLevel(tables: TablesReading | undefined): void {
  if (tables === undefined || tables.state === "level") return;
  const how = tables.state === "behind" ? "they catch up when the database can be written" : "restart";
  throw new NotReady(`the tables are ${tables.state} for ${tables.forSeconds} s: ${how}`);
}

function requireWhole(problem: FolderProblem | undefined): void {
  if (problem !== undefined) throw new NotReady(problem.reason);
}

function requireRunning({ state, reason }: CoreHealth): void {
  if (state !== "running") throw new NotReady(reason === undefined ? state : `${state}: ${reason}`);
}
