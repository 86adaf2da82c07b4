// The launches of the default run, one in each state, marked as simulated: coins are listed and brought into the sale
// accounts, simulated people hold, join, commit and pay, and the draw among them is a true one.
import { randomBytes } from "node:crypto";
import { RESERVES_ACCOUNT, SIMULATED_USER_MAX } from "@clockwork/core/protocol/names";
import { STOCK_SUB } from "@clockwork/domains/launchpad/book-service";
import type { EntryRow, LaunchStore, ProjectRow, RoundRow } from "@clockwork/domains/launchpad/store";
import { commitTo, roundSeed } from "@clockwork/kit/earn/draw";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { PartContext } from "../part.ts";
import type { EarnBooks } from "./earn-books.ts";

const SCALE = 4;
const coins = (whole: number): bigint => BigInt(whole) * 10n ** BigInt(SCALE);
const usdt = (whole: number): bigint => BigInt(whole) * 1_000_000n;
const FIRST_PERSON = SIMULATED_USER_MAX - 400;
const PEOPLE = 240;

interface Launch {
  readonly project: ProjectRow;
  readonly rounds: readonly RoundRow[];
}
interface Person {
  readonly userId: number;
  readonly heldUsdt: number;
  readonly isAuto: boolean;
}
type Needs = Pick<PartContext, "engine" | "market" | "clock">;

/** People are paid this many at a time. */
const CHUNK = 60;
const PROJECTS = ["tidewater", "harbour", "kelp", "beacon", "lumen-light", "driftwood"];

/**
 * A launch appears whole, with everybody who takes part in it, or not at all; one that is missing is made. Nothing is
 * asked of the tables for each of the people: a young exchange is busy, and every such question waits for its turn.
 */
export async function launchDefaults(context: Needs, books: EarnBooks, store: LaunchStore): Promise<void> {
  const { engine, market, clock } = context;
  const known = new Set((await store.listProjects()).map(({ project_id }) => project_id));
  if (PROJECTS.every((name) => known.has(name))) return;
  const now = clock.now();
  for (const symbol of ["TIDE", "HARBR", "LUMEN", "KELP", "BEACN"]) {
    if (market.pairs.findAsset(symbol) === undefined) await engine.submit({ kind: "listAsset", scale: SCALE, symbol });
  }
  await market.data.refresh();
  const people = Array.from({ length: PEOPLE }, (_, index) => personOf(index));
  await fund(context, books, people);
  for (const launch of describe(now)) {
    if (known.has(launch.project.project_id)) continue;
    for (const round of launch.rounds) await stock(context, books, launch.project, round);
    await add(store, launch, people, now);
  }
}

const personOf = (index: number): Person => ({
  userId: FIRST_PERSON + index,
  heldUsdt: 2_000 + ((index * 7_919) % 38_000),
  isAuto: index % 3 !== 0,
});

/** Refused for good is an answer; one that cannot answer now is asked again with the next round. */
function isAnswered(ack: { readonly done: boolean; readonly code?: string }): void {
  if (!ack.done && ack.code?.startsWith("ENGINE_") === true) throw new Error(`launches wait: ${ack.code}`);
}

/** The issuer brings the coins in from outside, into the book that stocks every launch. */
async function stock({ engine, market }: Needs, books: EarnBooks, project: ProjectRow, round: RoundRow): Promise<void> {
  const asset = market.pairs.findAsset(project.asset)?.asset;
  if (asset === undefined) return;
  const [account, to] = [await books.house("sale", STOCK_SUB), await books.house("sale", round.sub)];
  if (account === undefined || to === undefined) throw new Error("launches wait: no account for the stock");
  const units = Number.parseInt(round.stock_units.toString(), 10);
  const reference = `launch:in:${round.round_id}`;
  isAnswered(await engine.submit({ kind: "mint", account, asset, business: "deposit", units, reference }));
  isAnswered(await engine.submit({ kind: "transfer", account, to, asset, units, reference: `${reference}:s` }));
}

async function fund({ engine, market }: Needs, books: EarnBooks, people: readonly Person[]): Promise<void> {
  const asset = market.pairs.findAsset("USDT")?.asset ?? 0;
  const pay = async ({ userId, heldUsdt }: Person): Promise<void> => {
    const to = await books.user(userId, "spot");
    if (to === undefined) throw new Error("launches wait: no account for a person");
    const units = Number.parseInt(usdt(heldUsdt).toString(), 10);
    const reference = `launch:sim:${userId}`;
    isAnswered(await engine.submit({ kind: "transfer", account: RESERVES_ACCOUNT, to, asset, units, reference }));
  };
  for (let at = 0; at < people.length; at += CHUNK) await Promise.all(people.slice(at, at + CHUNK).map(pay));
}

async function add(store: LaunchStore, launch: Launch, people: readonly Person[], now: number): Promise<void> {
  const { project, rounds } = launch;
  const [first, ...others] = rounds;
  if (first?.kind !== "lottery" || first.preheat_ms > now) {
    await store.add(project, rounds);
    return;
  }
  const today = Math.floor(now / DAY_MS);
  const days = Array.from({ length: first.snapshot_days }, (_, back) => Math.floor(first.opens_ms / DAY_MS) - back);
  await store.addSnapshots(
    days
      .filter((day) => day <= today)
      .flatMap((day) =>
        people.map(({ userId, heldUsdt }) => ({
          project_id: project.project_id,
          user_id: userId,
          day,
          units: usdt(heldUsdt),
        })),
      ),
  );
  const isJoined = first.closes_ms <= now && first.stage === "OPEN";
  const entries = isJoined ? entriesOf(first, people) : [];
  const tickets = entries.reduce((sum, entry) => sum + entry.tickets, 0);
  await store.add(project, [{ ...first, tickets }, ...others], entries);
}

function entriesOf(round: RoundRow, people: readonly Person[]): EntryRow[] {
  let next = 1;
  return people.map(({ userId, heldUsdt, isAuto }, index) => {
    const tickets = Math.min(round.tickets_max, Math.floor(heldUsdt / 1_000));
    const first_ticket = next;
    next += tickets;
    return {
      round_id: round.round_id,
      user_id: userId,
      number: index + 1,
      tickets,
      first_ticket,
      commit_units: 0n,
      is_auto: isAuto,
    };
  });
}

const seedOf = () => {
  const server_seed = randomBytes(32).toString("hex");
  return { server_seed, promise: commitTo(server_seed), salt: randomBytes(16).toString("hex") };
};

function describe(now: number): Launch[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const made = [
    paying(now, midnight),
    selling(now, midnight),
    upcoming(midnight),
    preheated(midnight),
    listed(midnight),
    stopped(midnight),
  ];
  return made.map(({ project, rounds }, index) => {
    const seeds = seedOf();
    return {
      project: { ...project, ...seeds, sub: 101 + index, scale: SCALE, is_simulated: true },
      rounds: rounds.map((round, place) => {
        const round_id = `${project.project_id}-${place + 1}`;
        return {
          ...EMPTY_ROUND,
          ...round,
          round_id,
          promise: commitTo(roundSeed(seeds.server_seed, round_id)),
          project_id: project.project_id,
          number: place + 1,
          sub: 1_001 + index * 10 + place,
        };
      }),
    };
  });
}

type Draft = {
  project: Omit<ProjectRow, "server_seed" | "promise" | "salt" | "sub" | "scale" | "is_simulated">;
  rounds: Partial<RoundRow>[];
};

const EMPTY_ROUND: RoundRow = {
  round_id: "",
  project_id: "",
  number: 1,
  kind: "lottery",
  stock_units: 0n,
  lot_units: coins(400),
  cap_units: 0n,
  tickets_max: 20,
  unit_units: usdt(1_000),
  snapshot_days: 7,
  preheat_ms: 0,
  opens_ms: 0,
  closes_ms: 0,
  pay_until_ms: 0,
  stage: "OPEN",
  root: null,
  close_sequence: 0,
  promise: null,
  journal: null,
  public_seed: null,
  seed: null,
  tickets: 0,
  winners_max: 0,
  sub: 0,
  returned_units: null,
};

function paying(now: number, midnight: number): Draft {
  const opens = midnight - DAY_MS;
  const lottery = {
    preheat_ms: opens - 7 * DAY_MS,
    opens_ms: opens,
    closes_ms: now - MINUTE_MS,
    pay_until_ms: now + DAY_MS,
  };
  const later = (kind: "subscription" | "flash", at: number, hours: number): Partial<RoundRow> => ({
    kind,
    preheat_ms: midnight,
    opens_ms: at,
    closes_ms: at + hours * HOUR_MS,
    pay_until_ms: at + hours * HOUR_MS,
  });
  return {
    project: {
      project_id: "tidewater",
      name: "Tidewater",
      asset: "TIDE",
      summary: "Settlement of marine fuel contracts between ports.",
      supply: "200000000",
      price_units: 250_000n,
      vest_bps: 2_000,
      vest_days: 160,
      announced_ms: midnight - 15 * DAY_MS,
      listing_ms: midnight + 5 * DAY_MS + 8 * HOUR_MS,
      state: "ACTIVE",
    },
    rounds: [
      { ...lottery, stock_units: coins(160_000), winners_max: 400 },
      {
        ...later("subscription", now + DAY_MS + HOUR_MS, 24),
        stock_units: coins(4_000_000),
        cap_units: coins(10_000),
        lot_units: coins(1),
      },
      { ...later("flash", now + 3 * DAY_MS, 2), stock_units: coins(400_000) },
    ],
  };
}

function selling(now: number, midnight: number): Draft {
  const open = { preheat_ms: midnight - DAY_MS, opens_ms: now - MINUTE_MS };
  return {
    project: {
      project_id: "harbour",
      name: "Harbour",
      asset: "HARBR",
      summary: "Berth slots traded ahead of arrival.",
      supply: "50000000",
      price_units: 500_000n,
      vest_bps: 10_000,
      vest_days: 0,
      announced_ms: midnight - 9 * DAY_MS,
      listing_ms: midnight + 6 * DAY_MS + 8 * HOUR_MS,
      state: "ACTIVE",
    },
    rounds: [
      {
        ...open,
        kind: "subscription",
        closes_ms: now + 3 * DAY_MS,
        pay_until_ms: now + 3 * DAY_MS,
        stock_units: coins(600_000),
        cap_units: coins(5_000),
        lot_units: coins(1),
      },
      {
        ...open,
        kind: "flash",
        closes_ms: now + 4 * DAY_MS,
        pay_until_ms: now + 4 * DAY_MS,
        stock_units: coins(100_000),
        lot_units: coins(200),
      },
    ],
  };
}

function upcoming(midnight: number): Draft {
  const opens = midnight + 12 * DAY_MS;
  return {
    project: {
      project_id: "kelp",
      name: "Kelp",
      asset: "KELP",
      summary: "Carbon credits of coastal farms, measured by the month.",
      supply: "120000000",
      price_units: 80_000n,
      vest_bps: 2_500,
      vest_days: 90,
      announced_ms: midnight - DAY_MS,
      listing_ms: opens + 10 * DAY_MS,
      state: "ACTIVE",
    },
    rounds: [
      {
        preheat_ms: opens - 7 * DAY_MS,
        opens_ms: opens,
        closes_ms: opens + DAY_MS,
        pay_until_ms: opens + 2 * DAY_MS,
        stock_units: coins(800_000),
        winners_max: 2_000,
      },
    ],
  };
}

function preheated(midnight: number): Draft {
  const opens = midnight + 4 * DAY_MS;
  return {
    project: {
      project_id: "beacon",
      name: "Beacon",
      asset: "BEACN",
      summary: "Open navigation data, paid by the request.",
      supply: "300000000",
      price_units: 120_000n,
      vest_bps: 2_000,
      vest_days: 120,
      announced_ms: midnight - 6 * DAY_MS,
      listing_ms: opens + 8 * DAY_MS,
      state: "ACTIVE",
    },
    rounds: [
      {
        preheat_ms: midnight - 3 * DAY_MS,
        opens_ms: opens,
        closes_ms: opens + DAY_MS,
        pay_until_ms: opens + 2 * DAY_MS,
        stock_units: coins(400_000),
        winners_max: 1_000,
      },
    ],
  };
}

function past(midnight: number, days: number): Partial<RoundRow> {
  const at = midnight - days * DAY_MS;
  return {
    preheat_ms: at - 7 * DAY_MS,
    opens_ms: at,
    closes_ms: at + DAY_MS,
    pay_until_ms: at + 2 * DAY_MS,
    stage: "WAITED",
    tickets: 0,
  };
}

function listed(midnight: number): Draft {
  return {
    project: {
      project_id: "lumen-light",
      name: "Lumen Light",
      asset: "LUMEN",
      summary: "Maintenance pools of lighthouse operators.",
      supply: "80000000",
      price_units: 300_000n,
      vest_bps: 5_000,
      vest_days: 60,
      announced_ms: midnight - 40 * DAY_MS,
      listing_ms: midnight - 12 * DAY_MS,
      state: "ACTIVE",
    },
    rounds: [{ ...past(midnight, 20), stock_units: coins(200_000), winners_max: 500 }],
  };
}

function stopped(midnight: number): Draft {
  return {
    project: {
      project_id: "driftwood",
      name: "Driftwood",
      asset: "DRIFT",
      summary: "Ended before its listing; everybody was refunded.",
      supply: "10000000",
      price_units: 100_000n,
      vest_bps: 10_000,
      vest_days: 0,
      announced_ms: midnight - 60 * DAY_MS,
      listing_ms: midnight - 20 * DAY_MS,
      state: "CANCELLED",
    },
    rounds: [{ ...past(midnight, 30), stock_units: coins(100_000), winners_max: 250 }],
  };
}
