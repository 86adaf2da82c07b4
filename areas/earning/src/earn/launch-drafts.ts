// The launches of the default run: their times, rounds and coins. Data only.
import { randomBytes } from "node:crypto";
import { commitTo, roundSeed } from "@clockwork/kit/earn/draw";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { ProjectRow, RoundRow } from "../launchpad/store.ts";

export const SCALE = 4;
const coins = (whole: number): bigint => BigInt(whole) * 10n ** BigInt(SCALE);
export const usdt = (whole: number): bigint => BigInt(whole) * 1_000_000n;
const FIRST = ["tidewater", "harbour", "kelp", "beacon", "lumen-light", "driftwood"];
export const PROJECTS = [...FIRST, "estuary"];
/** Added when the numbers after the first were used by those announced as time passes. */
const BEFORE_FIRST = -1;

export interface Launch {
  readonly project: ProjectRow;
  readonly rounds: readonly RoundRow[];
}
const seedOf = () => {
  const server_seed = randomBytes(32).toString("hex");
  return { server_seed, promise: commitTo(server_seed), salt: randomBytes(16).toString("hex") };
};

export function firstLaunches(now: number): Launch[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const made = [
    paying(now, midnight),
    selling(now, midnight),
    upcoming(midnight),
    preheated(midnight),
    listed(now, midnight),
    stopped(midnight),
  ];
  return [...made.map(rowsOf), rowsOf(drawing(now, midnight), BEFORE_FIRST)];
}

function rowsOf({ project, rounds }: Draft, index: number): Launch {
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
}

/** Names of future launches; once all were used they repeat with a number. */
const NEXT = [
  ["coral", "Coral", "CORAL", "Insurance of reefs, paid out by the water's temperature."],
  ["anchor", "Anchor", "ANCHR", "Collateral of freight, released where it is unloaded."],
  ["lagoon", "Lagoon", "LAGUN", "Desalinated water, sold ahead by the cubic metre."],
  ["sextant", "Sextant", "SXTNT", "Positions at sea, signed by the ships that took them."],
  ["ballast", "Ballast", "BALST", "Empty containers lent between lines."],
] as const;

/** The one after all existing: announced now, drawn in twelve days, listed in three weeks. */
export function nextLaunch(now: number, projects: readonly ProjectRow[]): Launch {
  const number = projects.filter(({ project_id }) => NEXT.some(([id]) => project_id.startsWith(id))).length;
  const [id, name, asset, summary] = NEXT[number % NEXT.length] as (typeof NEXT)[number];
  const turn = Math.floor(number / NEXT.length) + 1;
  const own = turn === 1 ? "" : String(turn);
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const { project, rounds } = upcoming(midnight);
  const [first] = rounds;
  const after = (first?.pay_until_ms ?? midnight) + 2 * DAY_MS;
  const flash = { kind: "flash", preheat_ms: midnight, opens_ms: after, lot_units: coins(200) } as const;
  const subscription = { ...flash, kind: "subscription", lot_units: coins(1), cap_units: coins(5_000) } as const;
  const until = { closes_ms: after + DAY_MS, pay_until_ms: after + DAY_MS };
  return rowsOf(
    {
      project: {
        ...project,
        project_id: `${id}${own}`,
        name: turn === 1 ? name : `${name} ${turn}`,
        asset: `${asset}${own}`,
        summary,
        announced_ms: now,
      },
      rounds: [
        ...rounds,
        { ...subscription, ...until, stock_units: coins(600_000) },
        { ...flash, ...until, stock_units: coins(100_000) },
      ],
    },
    FIRST.length + number,
  );
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
  draw_ms: null,
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

/** Its tickets are fixed; the winners are announced tomorrow. */
function drawing(now: number, midnight: number): Draft {
  const opens = midnight - DAY_MS;
  return {
    project: {
      project_id: "estuary",
      name: "Estuary",
      asset: "ESTRY",
      summary: "Tide gauges, read and signed by whoever lives beside them.",
      supply: "60000000",
      price_units: 400_000n,
      vest_bps: 3_000,
      vest_days: 70,
      announced_ms: midnight - 16 * DAY_MS,
      listing_ms: midnight + 7 * DAY_MS + 8 * HOUR_MS,
      state: "ACTIVE",
    },
    rounds: [
      {
        preheat_ms: opens - 7 * DAY_MS,
        opens_ms: opens,
        closes_ms: now - MINUTE_MS,
        draw_ms: now + DAY_MS,
        pay_until_ms: now + 2 * DAY_MS,
        stock_units: coins(120_000),
        winners_max: 300,
      },
    ],
  };
}

/** Drawn among users with auto-pay: minutes later its coins are on their way. */
function listed(now: number, midnight: number): Draft {
  const opens = midnight - DAY_MS;
  const times = { preheat_ms: opens - 7 * DAY_MS, opens_ms: opens, closes_ms: now - MINUTE_MS };
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
      listing_ms: now + 12 * MINUTE_MS,
      state: "ACTIVE",
    },
    rounds: [{ ...times, pay_until_ms: now + 10 * MINUTE_MS, stock_units: coins(200_000), winners_max: 500 }],
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
