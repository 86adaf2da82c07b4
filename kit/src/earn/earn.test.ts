// Checks interest, shares, schedules and draws against the published vectors and against naive reference models.
import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { toHex } from "../bytes.ts";
import { createRandom } from "../random.ts";
import { DAY_MS, HOUR_MS } from "../time.ts";
import {
  type Accrual,
  accrueTo,
  type Boost,
  blendedRate,
  changePrincipal,
  hourParts,
  PARTS_IN_UNIT,
  takeWhole,
} from "./accrual.ts";
import { checkDraw, checkRecord, commitTo, drawSeed, publicSeedOf, shuffleTickets, ticketRoot } from "./draw.ts";
import { shareProRata, ticketsOf, vestedUnits } from "./launch.ts";
import { firstRunMs, nextRunMs, splitByWeights } from "./schedule.ts";
import { sha256 } from "./sha256.ts";
import {
  averageTicks,
  isKnockedOut,
  type SharkFin,
  sharkInterest,
  sharkInterestMax,
  sharkRate,
  termInterest,
} from "./terms.ts";

const PERCENT = 1_000_000;
const FIN: SharkFin = {
  direction: "bullish",
  isTouch: false,
  lowTicks: 18_000n,
  highTicks: 21_000n,
  baseRate: PERCENT,
  lowRate: 4 * PERCENT,
  highRate: 18 * PERCENT,
};
const at = (price: number) => ({ over: BigInt(price), under: 1n });

test("[EARN-1] fixed interest and shark fin equal the vectors", () => {
  expect(termInterest(100_000_000_000n, 5 * PERCENT, 30)).toBe(410_958_904n);
  const paid = (fin: SharkFin, price: number) => sharkInterest(1_000_00000n, sharkRate(fin, at(price)), 7);
  expect(paid(FIN, 17_000)).toBe(19_178n);
  expect(paid(FIN, 19_500)).toBe(210_958n);
  expect(paid({ ...FIN, direction: "bearish", highRate: 19 * PERCENT }, 19_500)).toBe(220_547n);
  expect(paid(FIN, 18_000)).toBe(termInterest(100_000_000n, 4 * PERCENT, 7));
  expect(paid(FIN, 21_000)).toBe(termInterest(100_000_000n, 18 * PERCENT, 7));
  expect(paid(FIN, 21_001)).toBe(19_178n);
  expect(sharkInterestMax(100_000_000n, FIN, 7)).toBe(paid(FIN, 21_000));
  expect(termInterest(1_000n, PERCENT, 365, { rate: 2 * PERCENT, capUnits: 500n, days: 73 })).toBe(12n);
});

test("[EARN-1] a touch ends the term at the base rate, only on the far side", () => {
  const touch = { ...FIN, isTouch: true };
  expect(isKnockedOut(touch, { highTicks: 21_000n, lowTicks: 1n })).toBe(false);
  expect(isKnockedOut(touch, { highTicks: 21_001n, lowTicks: 20_000n })).toBe(true);
  expect(isKnockedOut({ ...touch, direction: "bearish" }, { highTicks: 30_000n, lowTicks: 17_999n })).toBe(true);
  expect(isKnockedOut(FIN, { highTicks: 99_000n, lowTicks: 1n })).toBe(false);
  expect(sharkRate(touch, at(20_000), true)).toEqual(at(PERCENT));
  expect(averageTicks([3, 4, 6])).toEqual({ over: 13n, under: 3n });
  expect(averageTicks([])).toBeUndefined();
});

const TIERS = [
  { uptoUnits: 500_000_000n, rate: 8 * PERCENT },
  { uptoUnits: null, rate: 2 * PERCENT },
];

test("[EARN-1] hours are paid in tiers, rounded down to a part", () => {
  expect(hourParts(4_000_000_000n, TIERS)).toBe((500_000_000n * 8_000_000n + 3_500_000_000n * 2_000_000n) / 8_760n);
  expect(hourParts(500_000_000n, TIERS)).toBe((500_000_000n * 8_000_000n) / 8_760n);
  // A balance within the first tier shows its rate, not the rate after rounding of whole hours.
  expect([blendedRate(100_000_000n, TIERS), blendedRate(4_000_000_000n, TIERS)]).toEqual([8_000_000, 2_750_000]);
  expect(hourParts(0n, TIERS)).toBe(0n);
});

/** Hour by hour, without shortcuts. */
function naive(state: Accrual, hour: number, spans: Parameters<typeof accrueTo>[2], boost?: Boost) {
  let { parts, boostParts } = state;
  for (let now = state.hour; now < hour; now++) {
    const money = now === state.hour ? state.earningUnits : state.principalUnits;
    let tiers: (typeof spans)[number]["tiers"] = [];
    for (const span of spans) if (span.fromHour <= now) tiers = span.tiers;
    const on = boost !== undefined && now >= boost.fromHour && now < boost.untilHour;
    parts += hourParts(money, tiers, on ? boost : undefined);
    boostParts += hourParts(money, tiers, on ? boost : undefined) - hourParts(money, tiers);
  }
  return { parts, boostParts };
}

test("[EARN-1] any number of hours at once equals one after the other, whatever changes in between", () => {
  const random = createRandom(15);
  for (let round = 0; round < 200; round++) {
    const principalUnits = BigInt(random.below(2_000_000_000));
    const state = {
      principalUnits,
      earningUnits: principalUnits / BigInt(random.between(1, 4)),
      hour: 1_000,
      parts: BigInt(random.below(1_000)),
      boostParts: BigInt(random.below(1_000)),
    };
    const spans = [0, 1_000 + random.below(50), 1_060 + random.below(50)].map((fromHour) => ({
      fromHour,
      tiers: [
        { uptoUnits: BigInt(random.below(1_000_000_000)), rate: random.below(20 * PERCENT) },
        { uptoUnits: null, rate: random.below(20 * PERCENT) },
      ],
    }));
    const fromHour = 990 + random.below(60);
    const boost = { rate: 2 * PERCENT, capUnits: 1_000_000n, fromHour, untilHour: fromHour + random.below(40) };
    const hour = 1_000 + random.below(150);
    const whole = accrueTo(state, hour, spans, boost);
    expect(whole).toMatchObject(naive(state, hour, spans, boost));
    const middle = 1_000 + random.below(hour - 1_000 + 1);
    expect(accrueTo(accrueTo(state, middle, spans, boost), hour, spans, boost)).toEqual(whole);
  }
});

test("[EARN-1] money earns from its first full hour, and a credit leaves the remainder", () => {
  const empty = { principalUnits: 0n, earningUnits: 0n, hour: 10, parts: 0n, boostParts: 0n };
  const spans = [{ fromHour: 0, tiers: [{ uptoUnits: null, rate: 100 * PERCENT }] }];
  const put = changePrincipal(empty, 8_760n);
  expect(accrueTo(put, 11, spans).parts).toBe(0n);
  const later = accrueTo(put, 12, spans);
  expect(takeWhole(later)).toEqual({ units: 1n, state: { ...later, parts: later.parts % PARTS_IN_UNIT } });
  expect(accrueTo(changePrincipal(later, -8_760n), 13, spans).parts).toBe(later.parts);
});

test("[EARN-1] plans are due by their rhythm; days a month does not have are its last", () => {
  const base = { minuteOfDay: 8 * 60, weekday: 1, monthDay: 31 };
  const utc = (text: string) => Date.parse(`${text}Z`);
  const from = utc("2026-11-15T22:43:00");
  const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  expect(iso(firstRunMs({ ...base, rhythm: "week" }, from))).toBe("2026-11-16T08:00");
  expect(iso(firstRunMs({ ...base, rhythm: "day" }, from))).toBe("2026-11-16T08:00");
  expect(iso(firstRunMs({ ...base, rhythm: "4h" }, from))).toBe("2026-11-16T00:00");
  expect(iso(firstRunMs({ ...base, rhythm: "month" }, from))).toBe("2026-11-30T08:00");
  const fortnight = { ...base, rhythm: "twoWeeks" } as const;
  const first = firstRunMs(fortnight, from);
  expect(nextRunMs(fortnight, first, first + 20 * DAY_MS)).toBe(first + 28 * DAY_MS);
  expect(nextRunMs({ ...base, rhythm: "1h" }, from, from)).toBe(from + HOUR_MS);
  const monthly = { ...base, rhythm: "month" } as const;
  expect(iso(nextRunMs(monthly, utc("2027-01-31T08:00:00"), 0))).toBe("2027-02-28T08:00");
  expect(splitByWeights(100n, [33, 33, 34])).toEqual([33n, 33n, 34n]);
  expect(splitByWeights(101n, [50, 50])).toEqual([51n, 50n]);
});

/** Shared repeatedly until no commitment reaches its cap. */
function naiveShare(total: bigint, rows: readonly { commitUnits: bigint; capUnits: bigint }[], step: bigint): bigint[] {
  const capped = new Set<number>();
  for (;;) {
    const left = total - [...capped].reduce((sum, index) => sum + (rows[index]?.capUnits ?? 0n), 0n);
    const free = rows.map((_, index) => index).filter((index) => !capped.has(index));
    const weight = free.reduce((sum, index) => sum + (rows[index]?.commitUnits ?? 0n), 0n);
    const full = free.filter((index) => {
      const row = rows[index] as (typeof rows)[number];
      return row.commitUnits > 0n && left * row.commitUnits >= row.capUnits * weight;
    });
    for (const index of full) capped.add(index);
    if (full.length > 0) continue;
    return rows.map(({ commitUnits, capUnits }, index) => {
      const share = capped.has(index) ? capUnits : weight === 0n ? 0n : (left * commitUnits) / weight;
      return share - (share % step);
    });
  }
}

test("[EARN-2] a subscription is shared by the vector and as by its naive reference model", () => {
  const rows = [500n, 300n, 200n].map((commitUnits) => ({ commitUnits, capUnits: 400_000n }));
  expect(shareProRata(1_000_000n, rows, 1n)).toEqual([400_000n, 360_000n, 240_000n]);
  const random = createRandom(7);
  for (let round = 0; round < 300; round++) {
    const many = Array.from({ length: random.between(0, 12) }, () => ({
      commitUnits: BigInt(random.below(1_000)),
      capUnits: BigInt(random.between(1, 500)),
    }));
    const total = BigInt(random.below(3_000));
    const step = BigInt(random.between(1, 5));
    const given = shareProRata(total, many, step);
    expect(given).toEqual(naiveShare(total, many, step));
    expect(given.reduce((sum, one) => sum + one, 0n)).toBeLessThanOrEqual(total);
  }
});

test("[EARN-2] tickets follow the minimum holding, and vesting never shrinks and completes", () => {
  expect(ticketsOf([14_500n, 14_212n, 20_000n], 1_000n, 20)).toBe(14);
  expect(ticketsOf([99_000n], 1_000n, 20)).toBe(20);
  expect(ticketsOf([], 1_000n, 20)).toBe(0);
  const vesting = { firstBps: 2_000, days: 160 };
  expect([-1, 0, 1, 160, 400].map((day) => vestedUnits(800n, vesting, day))).toEqual([0n, 160n, 164n, 800n, 800n]);
  for (let day = 0; day < 160; day++) {
    expect(vestedUnits(777n, vesting, day + 1)).toBeGreaterThanOrEqual(vestedUnits(777n, vesting, day));
  }
});

test("[EARN-2] the hash is SHA-256 for any length", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 255);
    expect(toHex(sha256(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

const SERVER_SEED = "11".repeat(32);
const RANGES = Array.from({ length: 40 }, (_, index) => ({
  holder: createHash("md5").update(String(index)).digest("hex"),
  count: (index % 7) + 1,
}));

/** The draw written with the platform's own hashes. */
function naiveDraw(publicSeed: string): { root: string; order: number[] } {
  const hash = (...parts: Uint8Array[]): Buffer =>
    parts.reduce((h, part) => h.update(part), createHash("sha256")).digest();
  let level: Buffer[] = [];
  for (const { holder, count } of RANGES) {
    for (let i = 0; i < count; i++) {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(level.length + 1);
      level.push(hash(number, Buffer.from(holder, "hex")));
    }
  }
  const tickets = level.length;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let i = 0; i < level.length; i += 16) above.push(hash(...level.slice(i, i + 16)));
    level = above;
  }
  const root = level[0] as Buffer;
  const seed = hash(Buffer.from(SERVER_SEED, "hex"), root, Buffer.from(publicSeed, "hex"));
  const words: number[] = [];
  for (let block = 0; words.length < tickets * 2; block++) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(block));
    const out = createHmac("sha256", seed).update(counter).digest();
    for (let i = 0; i < 32; i += 4) words.push(out.readUInt32BE(i));
  }
  const order = Array.from({ length: tickets }, (_, index) => index + 1);
  for (let place = 0; place < tickets - 1; place++) {
    const left = tickets - place;
    let word = words.shift() as number;
    while (word >= Math.floor(2 ** 32 / left) * left) word = words.shift() as number;
    const from = place + (word % left);
    [order[place], order[from]] = [order[from] as number, order[place] as number];
  }
  return { root: root.toString("hex"), order };
}

test("[EARN-2] a draw is the same written twice, and one planted ticket shows", () => {
  const journal = { number: 7, sinceSequence: 101, untilSequence: 140, seed: "22".repeat(32) };
  const publicSeed = publicSeedOf(100, journal);
  const places = Buffer.alloc(32);
  for (const [index, one] of [100, 7, 101, 140].entries()) places.writeBigUInt64BE(BigInt(one), index * 8);
  expect(publicSeed).toBe(createHash("sha256").update(places).update(Buffer.from(journal.seed, "hex")).digest("hex"));
  const root = ticketRoot(RANGES);
  const seed = drawSeed(SERVER_SEED, root, publicSeed);
  const tickets = RANGES.reduce((sum, { count }) => sum + count, 0);
  const order = [...shuffleTickets(seed, tickets)];
  expect({ root, order }).toEqual(naiveDraw(publicSeed));
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: tickets }, (_, index) => index + 1));
  const draw = {
    promise: commitTo(SERVER_SEED),
    serverSeed: SERVER_SEED,
    root,
    publicSeed,
    closeSequence: 100,
    journal: journal as typeof journal | null,
    seed,
    winnersMax: 20,
    ranges: RANGES,
    winners: order.slice(0, 20),
  };
  const failed = (changed: Partial<typeof draw>): string[] => {
    const lines: string[] = [];
    checkDraw({ ...draw, ...changed }, (check, isRight) => {
      if (!isRight) lines.push(check);
    });
    return lines;
  };
  expect(failed({})).toEqual([]);
  const planted = RANGES.map((range, index) => (index === 5 ? { ...range, count: range.count + 1 } : range));
  expect(failed({ ranges: planted })).toContain("root");
  const moved = RANGES.map((range, index) => (index === 5 ? { ...range, holder: "ab".repeat(16) } : range));
  expect(failed({ ranges: moved })).toContain("root");
  expect(failed({ winners: [...order.slice(1, 20), order[0] as number] })).toEqual(["winners"]);
  expect(failed({ serverSeed: "12".repeat(32) })).toContain("promise");
  // Another public seed with everything that follows from it: it is not the journal's.
  const chosen = "33".repeat(32);
  const forged = drawSeed(SERVER_SEED, root, chosen);
  const winners = [...shuffleTickets(forged, tickets)].slice(0, 20);
  expect(failed({ publicSeed: chosen, seed: forged, winners })).toEqual(["publicSeed"]);
  expect(failed({ journal: null })).toEqual(["publicSeed"]);
  expect(failed({ closeSequence: 101 })).toEqual(["publicSeed"]);
});

test("[EARN-2] the journal's seed of a draw is compared with the public record", async () => {
  const journal = { number: 7, sinceSequence: 101, untilSequence: 140, seed: "22".repeat(32) };
  const before = { number: 6, sinceSequence: 60, untilSequence: 101, seed: "44".repeat(32) };
  const draw = { closeSequence: 100, journal };
  const record = (...seeds: readonly (typeof journal)[]) =>
    checkRecord(draw, async (at) => seeds.find((one) => one.sinceSequence <= at && one.untilSequence > at));
  expect(await record(before, journal)).toBe(true);
  expect(await record(journal)).toBe(true);
  expect(await record()).toBeUndefined();
  expect(await record(before, { ...journal, seed: "55".repeat(32) })).toBe(false);
  // One was set between: it would have been the draw's.
  expect(await record({ ...before, number: 5 }, journal)).toBe(false);
});
