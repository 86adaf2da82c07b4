// One exchange with its environment simulated: its disk, its network, its clock, and its crashes. A crash keeps what
// the disk kept of the journal and what the database has committed, and the next start continues from that.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SILENT_LOG } from "@clockwork/host/log";
import { readConfig } from "@clockwork/host/settings/config";
import { FREE_PASSWORDS } from "@clockwork/identity/accounts/hash-fixture";
import type { Random } from "@clockwork/kit/random";
import { openClock, type ServerClock } from "../clock/clock.ts";
import type { ProjectedEngine } from "../engine/projected-engine.ts";
import { type Clockwork, compose, type EngineStart } from "../process/compose.ts";
import { startEngineWithTables } from "../projectors/start.ts";
import { ROOT_FOLDER } from "../root-folder.ts";
import { openDatabase } from "../storage/database.ts";
import { collectMigrations, migrate } from "../storage/migrations.ts";
import { SimulatedDisk } from "./disk.ts";
import { SimulatedNetwork } from "./network.ts";
import { type OneThreadEngine, startOneThreadEngine } from "./one-thread-engine.ts";
import { startInTurns } from "./sqlite-in-turns.ts";

const FIRST_MS = Date.UTC(2026, 0, 5);
/** A busy machine keeps a run waiting for any time; only what never ends is a fault of the exchange. */
const TIMEOUT_MS = 1_800_000;
/** Path of the journal on the simulated disk, whichever folder the database is in. */
export const JOURNAL_PLACE = "/disk";

/** Every seed starts with a copy of this database: only the first creates its tables. */
export async function makeTemplate(): Promise<{ readonly folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "cw-system-"));
  const { config } = readConfig({ ...SETTINGS, CW_DATA: folder });
  const database = await openDatabase({ url: undefined, folder: config.folder });
  await migrate(database, collectMigrations(ROOT_FOLDER));
  await database.close();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const SETTINGS = {
  CW_CAPTCHA: "off",
  CW_CHAIN: "off",
  CW_SECRET_KEY: "5e".repeat(32),
  CW_RATE_WEIGHT_PER_MINUTE: "0",
  CW_SOCKET_OPENS_PER_MINUTE: "0",
  CW_SOCKETS_PER_ADDRESS: "1000",
  CW_SHUTDOWN_MS: "200",
};

interface Life {
  readonly folder: string;
  readonly one: Clockwork;
  readonly engine: ProjectedEngine;
  readonly core: OneThreadEngine;
  readonly clock: ServerClock;
  readonly aside: EngineStart["aside"];
}

export class World {
  readonly disk = new SimulatedDisk();
  readonly network: SimulatedNetwork;
  readonly alarms: string[] = [];
  readonly #random: Random;
  readonly #folders: string[] = [];
  readonly #ends: Promise<void>[] = [];
  #life: Life | undefined;
  /** What the last life left of its database. */
  #left: string | undefined;
  #aheadMs = 0;

  constructor(random: Random) {
    this.#random = random;
    this.network = new SimulatedNetwork(random);
  }

  get engine(): ProjectedEngine {
    return this.#alive.engine;
  }

  get #alive(): Life {
    if (this.#life === undefined) throw new Error("the exchange is down");
    return this.#life;
  }

  /** Starts on what the last run left; on an empty database where there was none. */
  async start(template?: string): Promise<void> {
    const folder = this.#left ?? this.#makeFolder();
    if (this.#left === undefined && template !== undefined) cpSync(template, folder, { recursive: true });
    const { config, problems } = readConfig({ ...SETTINGS, CW_DATA: folder });
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    const clock = openClock({ aheadMs: this.#aheadMs, wall: () => FIRST_MS, monotonic: () => 0, uptime: () => 0 });
    const held: { core?: OneThreadEngine; engine?: ProjectedEngine; aside?: EngineStart["aside"] } = {};
    const one = await compose({
      config,
      log: SILENT_LOG,
      version: "1",
      market: "listed",
      clock,
      passwords: FREE_PASSWORDS,
      database: { transactionMaxMs: TIMEOUT_MS, startWorker: startInTurns },
      startEngine: async ({ aside, ...options }) => {
        held.aside = aside;
        held.engine = await startEngineWithTables({
          ...options,
          projection: { pauseMs: 0, retryMs: [1, 20] },
          onAlarm: (line) => this.alarms.push(line),
          start: async (engineOptions) => {
            held.core = await startOneThreadEngine({ ...engineOptions, folder: JOURNAL_PLACE }, this.disk);
            return held.core;
          },
        });
        return held.engine;
      },
    });
    const { core, engine, aside } = held;
    if (core === undefined || engine === undefined) throw new Error("the engine did not start");
    await one.app.ready();
    this.#life = { folder, one, engine, core, clock, aside };
    this.network.serve(one.app.server);
  }

  /** Lets time pass. */
  advance(byMs: number): void {
    this.#aheadMs += byMs;
    this.#alive.clock.advance(byMs);
    this.#alive.core.wake();
  }

  /** Stalls every writer of the database until it is released. */
  async stallDatabase(untilDone: Promise<unknown>): Promise<void> {
    await this.#alive.aside?.turn(() => untilDone.then(() => undefined));
  }

  /** Power off, in the middle of any activity. */
  async crash(): Promise<void> {
    const life = this.#alive;
    this.#life = undefined;
    this.network.serve(undefined);
    life.core.freeze();
    this.network.cutAll();
    this.disk.crash(this.#random);
    // Between two transactions of the database: one that has not committed would not be there either way.
    const left = this.#makeFolder();
    await life.aside?.turn(async () => cpSync(life.folder, left, { recursive: true }));
    this.#left = left;
    this.#ends.push(life.one.close().catch(() => undefined));
  }

  /** As an operator stops it. */
  async stop(): Promise<void> {
    const life = this.#alive;
    this.#life = undefined;
    this.network.serve(undefined);
    this.network.cutAll();
    await life.one.close();
    this.#left = life.folder;
  }

  /** Removes everything; also what crashed lives still had open. */
  async end(): Promise<void> {
    if (this.#life !== undefined) await this.stop();
    await Promise.all(this.#ends);
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  #makeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "cw-system-"));
    this.#folders.push(folder);
    return folder;
  }
}
