// Connects the parts by hand, in the order they depend on each other, and takes them apart in the reverse order.
// Holds no logic of its own: a reader learns here what the process is made of.
import { resolve } from "node:path";
import { COMMON_CHANNEL } from "@clockwork/domains/content/api";
import { opsDeskRoutes } from "@clockwork/domains/ops/desk-routes";
import { opsRoutes } from "@clockwork/domains/ops/routes";
import { opsService } from "@clockwork/domains/ops/service";
import { opsStore } from "@clockwork/domains/ops/store";
import { pushRoutes } from "@clockwork/domains/push/routes";
import { pushService } from "@clockwork/domains/push/service";
import { pushStore } from "@clockwork/domains/push/store";
import type { FastifyInstance } from "fastify";
import { type Accounts, composeAccounts } from "./accounts/accounts.ts";
import { openBook } from "./accounts/books.ts";
import { openDesk } from "./accounts/desk.ts";
import { announceOperator } from "./accounts/first-operator.ts";
import { openHashPool } from "./accounts/hash-pool.ts";
import { mountOutbox } from "./accounts/outbox.ts";
import { composeAlerts } from "./alerts/alerts.ts";
import { composeArticles } from "./articles/articles.ts";
import type { Config } from "./config.ts";
import { composeContent } from "./content/content.ts";
import { composeOffers } from "./content/offers.ts";
import { AckTimes, timeSubmit } from "./engine/ack-times.ts";
import type { Engine, EngineOptions } from "./engine/engine.ts";
import type { Follower } from "./engine/projected-engine.ts";
import type { Desk } from "./engine/projection/account-cache.ts";
import type { Projection } from "./engine/projection/projection.ts";
import { nameRelease } from "./engine/release.ts";
import { type AppParts, buildApp } from "./http/app.ts";
import { createMetrics } from "./http/metrics.ts";
import { identifyBy } from "./http/session.ts";
import { closeApp } from "./http/shutdown.ts";
import { type CoreHealth, NotReady, type SystemStatus } from "./http/system.ts";
import type { Log } from "./log.ts";
import { type MarketData, openMarketData } from "./market/data.ts";
import { composeMarket, type Market, type MarketMode } from "./market/market.ts";
import { mountSockets, type Sockets } from "./socket/gate.ts";
import { statusChannel } from "./socket/status.ts";
import { composeSpot, type Spot } from "./spot/spot.ts";
import { type Database, openDatabase } from "./storage/database.ts";
import { lockFolder } from "./storage/lock.ts";
import { collectMigrations, migrate } from "./storage/migrations.ts";
import { composeSupport, personFinder } from "./support/support.ts";

/** The repository's root, the same distance from the sources and from the build. */
export const ROOT_FOLDER = resolve(import.meta.dirname, "../../..");

/** What compose needs of the engine. */
export interface EnginePart {
  health(): CoreHealth;
  /** Left out by tests that only look at the process. */
  submit?: Engine["submit"];
  submitBatch?: Engine["submitBatch"];
  subscribe?: Engine["subscribe"];
  readRoster?: Engine["readRoster"];
  readonly desk?: Desk;
  readonly projection?: Pick<Projection, "reached">;
  close(): Promise<void>;
}

export type EngineStart = Required<
  Pick<EngineOptions, "folder" | "release" | "replayOthers" | "onProgress" | "onNote">
> & {
  readonly kysely: Database["kysely"];
  readonly aside: Database["aside"];
  readonly followers: readonly Follower[];
};

export interface ComposeOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** Told before each step begins. */
  readonly report?: (step: string) => void;
  /** Told once what only a person at this machine may read: the operator's first password. */
  readonly announce?: (line: string) => void;
  /** Without one the core stays "starting" for ever; only tests and tools that never trade leave it out. */
  readonly startEngine?: (options: EngineStart) => Promise<EnginePart>;
  readonly pages?: AppParts["pages"];
  /** Left out, nothing is listed and nobody trades by himself. */
  readonly market?: MarketMode;
  readonly clock?: () => number;
}

export interface Clockwork {
  readonly app: FastifyInstance;
  readonly sockets: Sockets;
  /** Ends requests and sockets within the deadline, then the parts behind them. */
  close(): Promise<void>;
}

/** Sockets are opened last; whoever has something to tell them looks here. */
interface Live {
  sockets?: Sockets;
}
/** How to take apart what has been put together so far, in the order it was. */
type Undo = (() => Promise<void> | void)[];

const NO_ENGINE: EnginePart = {
  health: () => ({ state: "starting", sequence: 0, durableSequence: 0 }),
  close: async () => undefined,
};

export async function compose(options: ComposeOptions): Promise<Clockwork> {
  const { config, log, version, report = () => undefined, clock = Date.now } = options;
  const startedAt = new Date(clock()).toISOString();
  const undo: Undo = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };

  try {
    const database = await openStorage(config, report, undo);

    const { data, engine, times } = await openEngine(options, database, undo);

    const status = (): SystemStatus => {
      const ack = times.read();
      const matched = { trades: data.projector.countTrades(), ...(ack === undefined ? {} : { ack }) };
      return { version, startedAt, core: engine.health(), matched };
    };
    const metrics = createMetrics({ processMetrics: true, readEngine: () => readEngine(engine) });

    report("preparing the server");
    const live: Live = {};
    const market = await openMarket(options, data, engine, live, times);
    const accounts = await openAccounts(options, database, engine, live, undo);
    const { content, written } = await openContent(options, database, accounts, market, live);
    const spot = openSpot(options, database, engine, accounts, market, live, times);
    const hub = () => live.sockets?.hub;
    const alerts = composeAlerts({ kysely: database.kysely, data, letters: accounts.letters, log, hub });
    const app = await buildApp({
      config,
      log,
      version,
      clock,
      metrics,
      status,
      routes: [...[accounts, content, market, spot, alerts].flatMap(({ routes }) => routes), ...written],
      rootRoutes: spot.rootRoutes,
      identify: identifyBy(accounts.reader),
      readiness: readinessOf(database, engine),
      ...(options.pages === undefined ? {} : { pages: options.pages }),
    });
    content.mountFiles(app);
    market.mountFiles(app);
    if (accounts.outbox !== undefined) mountOutbox(app, accounts.outbox);
    const sockets: Sockets = mountSockets(app, {
      config,
      log,
      metrics,
      clock,
      authenticate: accounts.authenticate,
      channels: [
        statusChannel(status, () => sockets.hub),
        content.channel,
        ...[accounts, market, spot, alerts].flatMap(({ channels }) => channels),
      ],
    });
    live.sockets = sockets;
    undo.push(spot.start(), content.start(), accounts.start(), market.start(), alerts.start());
    undo.push(() => closeApp(app, config.shutdownMs, log));
    return { app, sockets, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The market's data follows the engine's events from the first on, so it is opened before. */
async function openEngine(options: ComposeOptions, database: Database, undo: Undo) {
  const { log, clock = Date.now, report } = options;
  const isSimulated = options.market === "simulated";
  const data = await openMarketData({ kysely: database.kysely, log, clock, isSimulated });
  undo.push(() => data.close());

  report?.("starting the engine");
  const engine = (await options.startEngine?.(engineStart(options, database, data))) ?? NO_ENGINE;
  undo.push(() => engine.close());
  return { data, engine, times: new AckTimes() };
}

function openMarket(
  options: ComposeOptions,
  data: MarketData,
  engine: EnginePart,
  live: Live,
  times: AckTimes,
): Promise<Market> {
  const { config, log, clock = Date.now } = options;
  return composeMarket({
    mode: options.market ?? "off",
    data,
    engine: boundEngine(engine, times),
    log,
    clock,
    hub: () => live.sockets?.hub,
    seed: config.marketSeed,
    speed: config.marketSpeed,
    priceToken: config.marketPriceToken,
  });
}

async function openStorage(config: Config, report: (step: string) => void, undo: Undo): Promise<Database> {
  report("locking the data folder");
  const lock = lockFolder(config.folder);
  undo.push(() => lock.release());

  report(config.databaseUrl === undefined ? "opening the embedded database" : "connecting to PostgreSQL");
  const database = await openDatabase({ url: config.databaseUrl, folder: config.folder });
  undo.push(() => database.close());
  await migrate(database, collectMigrations(ROOT_FOLDER), ({ name, index, total }) =>
    report(`migrating the database ${index}/${total}: ${name}`),
  );
  return database;
}

function engineStart(
  { config, log, version, report = () => undefined }: ComposeOptions,
  database: Database,
  follower: Follower,
) {
  return {
    folder: config.folder,
    kysely: database.kysely,
    aside: database.aside,
    followers: [follower],
    release: nameRelease(version, ROOT_FOLDER),
    // Whoever tries the product or works on it is never locked out of a folder; an exchange is, and says what to do.
    replayOthers: config.mode !== "production",
    onProgress: (sequence, target) => report(`replaying the journal ${sequence}/${target}`),
    onNote: (note) => log.info("engine.noted", { note }),
  } satisfies EngineStart;
}

/** Accounts tell sockets what happened; sockets are opened last, so they are looked up when there is something to tell. */
async function openAccounts(
  options: ComposeOptions,
  database: Database,
  engine: EnginePart,
  live: Live,
  undo: Undo,
): Promise<Accounts> {
  const { config, log } = options;
  const clock = options.clock ?? Date.now;
  const passwords = await openHashPool();
  undo.push(() => passwords.close());
  const accounts = composeAccounts({
    config,
    log,
    clock,
    passwords,
    kysely: database.kysely,
    openBook: openBook(engine.submit?.bind(engine)),
    endSockets: (ids) => live.sockets?.endSessions(ids),
    publish: (channel, userId, data) => live.sockets?.hub.publish({ channel }, data, { account: String(userId) }),
  });
  await announceOperator(accounts, config, options.announce, clock());
  return accounts;
}

/** What every page shares, the written pages and the forms; the repository's texts are brought into the database here. */
async function openContent(
  { config, log, clock = Date.now }: ComposeOptions,
  database: Database,
  accounts: Accounts,
  market: Market,
  live: Live,
) {
  const { kysely } = database;
  const desk = openDesk(accounts, "content.edit");
  const articles = composeArticles({ kysely, root: ROOT_FOLDER, desk });
  await articles.importSeeds(clock());
  const content = composeContent({
    config,
    log,
    clock,
    kysely,
    desk,
    facts: articles.facts,
    publish: (type, data) => live.sockets?.hub.publish({ channel: COMMON_CHANNEL, type }, data),
  });
  const support = composeSupport({
    kysely,
    config,
    accounts,
    findPerson: personFinder(accounts),
    desk: openDesk(accounts, "support.answer"),
    reports: openDesk(accounts, "reports.read"),
  });
  const offers = composeOffers({ kysely, accounts, desk, articles: articles.articles, pairs: market.pairs });
  const ops = opsService({ store: opsStore(kysely) });
  return {
    content,
    written: [
      ...articles.routes,
      ...support.routes,
      ...offers,
      ...opsRoutes(ops),
      ...opsDeskRoutes(ops, openDesk(accounts, "visits.read")),
      ...pushRoutes(pushService({ store: pushStore(kysely) })),
    ],
  };
}

function openSpot(
  { config, log, clock = Date.now }: ComposeOptions,
  database: Database,
  engine: EnginePart,
  accounts: Accounts,
  market: Market,
  live: Live,
  times: AckTimes,
): Spot {
  const { roles, operators, users } = accounts;
  return composeSpot({
    log,
    kysely: database.kysely,
    pairs: market.pairs,
    readIndexTicks: market.readIndexTicks,
    operators: {
      permit: (operator, timeMs) => roles.permit(operator, "coupons.issue", timeMs),
      audit: ({ userId, address }, subject, detail, timeMs) =>
        operators.record({ operatorId: userId, action: "coupon.issued", subject, detail, address }, timeMs),
      findJoinedMs: async (userId) => (await users.find(userId))?.created_at_ms,
    },
    clock,
    hub: () => live.sockets?.hub,
    findBook: (userId, book) => users.findBook(userId, book),
    engine: { ...boundEngine(engine, times), desk: engine.desk, projection: engine.projection },
    isTestMoney: config.mode !== "production",
  });
}

/** Parts of the engine as plain functions, so that they can be handed on one by one. */
function boundEngine(engine: EnginePart, times: AckTimes): Partial<Engine> {
  const { submitBatch } = engine;
  return {
    ...(engine.submit === undefined ? {} : { submit: timeSubmit(engine.submit.bind(engine), times) }),
    ...(submitBatch === undefined ? {} : { submitBatch: timeSubmit(submitBatch.bind(engine), times) }),
    ...(engine.subscribe === undefined ? {} : { subscribe: engine.subscribe.bind(engine) }),
    ...(engine.readRoster === undefined ? {} : { readRoster: engine.readRoster.bind(engine) }),
  };
}

function readEngine(engine: EnginePart): { sequence: number; durableSequence: number; running: boolean } {
  const { state, sequence, durableSequence } = engine.health();
  return { sequence, durableSequence, running: state === "running" };
}

function readinessOf(database: Database, engine: EnginePart): AppParts["readiness"] & object {
  return [
    { name: "database", check: () => database.health() },
    { name: "engine", check: async () => requireRunning(engine) },
  ];
}

function requireRunning(engine: EnginePart): void {
  const { state, reason } = engine.health();
  if (state !== "running") throw new NotReady(reason === undefined ? state : `${state}: ${reason}`);
}
