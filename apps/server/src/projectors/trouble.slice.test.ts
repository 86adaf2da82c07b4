// The database becomes unavailable under the projection and comes back: it retries, loses and repeats nothing, and
// until then refuses reads the tables cannot serve instead of blocking them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventBatch } from "@clockwork/host/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProjection, type Projection } from "../engine/projection/projection.ts";
import type { TroubleReading } from "../engine/projection/trouble.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { forDatabase } from "../storage/test-databases.ts";
import { openWire, type Wire } from "../storage/wire-fixture.ts";
import { dumpTables, JOURNAL, PROJECTION_MIGRATIONS, runSession } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";
import { PROJECTION_WORKER } from "./start.ts";

interface Followed {
  readonly projection: Projection;
  readonly faults: TroubleReading[];
  readonly levels: TroubleReading[];
}

async function follow(database: Database): Promise<Followed> {
  const { kysely, aside } = database;
  const thread = aside === undefined ? undefined : { aside, worker: PROJECTION_WORKER };
  const [faults, levels]: [TroubleReading[], TroubleReading[]] = [[], []];
  const projection = await openProjection({
    kysely,
    projectors: PROJECTORS,
    thread,
    transactionEvents: 200,
    pauseMs: 0,
    retryMs: [5, 40],
    onFault: (_, trouble) => faults.push(trouble),
    onLevel: (trouble) => levels.push(trouble),
  });
  projection.bind(JOURNAL);
  return { projection, faults, levels };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The rows the same events leave on a database nothing happens to. */
async function expectedOf(batches: readonly EventBatch[]): Promise<Awaited<ReturnType<typeof dumpTables>>> {
  const folder = mkdtempSync(join(tmpdir(), "cw-calm-"));
  const database = await openDatabase({ url: undefined, folder });
  try {
    await migrate(database, PROJECTION_MIGRATIONS);
    const { projection } = await follow(database);
    for (const batch of batches) await projection.listen(batch);
    await projection.close();
    return await dumpTables(database.kysely);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Breaks the database in the middle of a session, checks the report and the refusals, restores it and checks that the
 * tables catch up.
 */
async function breakAndRepair(
  options: DatabaseOptions,
  world: { readonly break: () => void; readonly repair: () => void },
  canRead: boolean,
): Promise<void> {
  const { batches } = runSession(31, 500);
  const last = batches.at(-1)?.lastSequence ?? 0;
  const database = await openDatabase(options);
  try {
    const { projection, faults, levels } = await follow(database);
    for (const batch of batches.slice(0, 120)) await projection.listen(batch);
    await until(() => projection.sequence >= 120 && projection.trouble === undefined);
    faults.length = 0;
    levels.length = 0;
    world.break();
    for (const batch of batches.slice(120, 400)) await projection.listen(batch);
    const refused = expect(projection.reached(400)).rejects.toMatchObject({
      name: "DatabaseFault",
      kind: "unavailable",
    });
    await until(() => faults.length >= 3);
    await refused;
    expect(projection.trouble).toMatchObject({ isFinal: false });
    expect(projection.sequence).toBeLessThan(400);
    await expect(projection.reached(400)).rejects.toMatchObject({ kind: "unavailable" });
    // What the tables have can be read where the database still reads.
    const reading = projection.readSettled(0, (read) => read("select name from engine_cursor"));
    if (canRead) expect((await reading).value).toHaveLength(1);
    else await expect(reading).rejects.toMatchObject({ name: "DatabaseFault" });
    world.repair();
    await until(() => projection.sequence >= 400 && projection.trouble === undefined);
    // Once for every outage: a server that is slow to start may be given up once more.
    expect(levels.length).toBe(faults.filter(({ tries }) => tries === 1).length);
    for (const batch of batches.slice(400)) await projection.listen(batch);
    // Closing tries once; a projection that still follows retries until it succeeds.
    await until(() => projection.sequence >= last);
    await projection.close();
    expect(await dumpTables(database.kysely)).toEqual(await expectedOf(batches));
  } finally {
    await database.close();
  }
}

forDatabase("postgres", "the projection", (place) => {
  let wire: Wire;
  beforeAll(async () => {
    await migrate(place.database(), PROJECTION_MIGRATIONS);
    wire = await openWire(new URL(place.options().url ?? ""));
  });
  afterAll(() => wire.close());
  const clear = async (): Promise<void> => {
    const projection = await openProjection({ kysely: place.database().kysely, projectors: PROJECTORS });
    await projection.clear();
  };

  test("[PROJECTION-11] PostgreSQL killed for a while: the tables are tried again until they are level", async () => {
    await clear();
    const options = { url: wire.url, folder: tmpdir() };
    await breakAndRepair(options, { break: () => wire.cut(), repair: () => wire.repair() }, false);
  });

  test("[PROJECTION-11] PostgreSQL stopped without a word for a while: the same", async () => {
    await clear();
    const options = { url: wire.url, folder: tmpdir(), answerMaxMs: 3_000 };
    await breakAndRepair(options, { break: () => wire.pause(), repair: () => wire.repair() }, false);
  });
});

const folder = mkdtempSync(join(tmpdir(), "cw-small-disk-"));
const mount = (...options: string[]): boolean => spawnSync("mount", [...options, folder]).status === 0;
const canMount = process.platform === "linux" && mount("-t", "tmpfs", "-o", "size=8m", "tmpfs");

describe.skipIf(!canMount)("the projection on a small disk", () => {
  afterAll(() => {
    spawnSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("[PROJECTION-11] SQLite's disk full for a while: the tables are tried again until they are level", async () => {
    const options = { url: undefined, folder };
    const database = await openDatabase(options);
    await migrate(database, PROJECTION_MIGRATIONS);
    await database.close();
    const ballast = join(folder, "ballast");
    const fill = (): void => {
      for (const bytes of [1 << 16, 1 << 12]) {
        try {
          for (;;) writeFileSync(ballast, new Uint8Array(bytes), { flag: "a" });
        } catch {
          // Full.
        }
      }
    };
    await breakAndRepair(options, { break: fill, repair: () => rmSync(ballast) }, true);
  });
});
