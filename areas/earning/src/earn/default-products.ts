// The earn products of the default run, marked as simulated: flexible coins, fixed terms, shark fins around the current
// price, and simulated holders. Data and its setup; every start repeats it.

import type { Command } from "@clockwork/core/protocol/command";
import { RESERVES_ACCOUNT, SIMULATED_USER_MAX } from "@clockwork/core/protocol/names";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { ProductPayload } from "./contract.ts";
import type { DeskService } from "./desk-service.ts";
import type { EarnBooks } from "./earn-books.ts";
import type { IndexReader } from "./index-record.ts";
import type { EarnService } from "./service.ts";

/** Coin, end and rate of the first tier, rate above, minimum, maximum per user, daily limit. */
const FLEXIBLE: readonly (readonly [string, string | null, string, string, string, string, string])[] = [
  ["USDT", "500", "0.08", "0.02", "1", "500000", "2000000"],
  ["BTC", null, "0.008", "0.008", "0.0001", "50", "100"],
  ["ETH", null, "0.021", "0.021", "0.001", "500", "1000"],
  ["SOL", null, "0.034", "0.034", "0.01", "5000", "40"],
  ["BNB", null, "0.015", "0.015", "0.01", "2000", "4000"],
  ["XRP", null, "0.012", "0.012", "10", "500000", "1000000"],
  ["ADA", null, "0.019", "0.019", "10", "500000", "1000000"],
  ["DOT", null, "0.042", "0.042", "1", "50000", "100000"],
  ["LINK", null, "0.01", "0.01", "1", "50000", "100000"],
];
/** Coin, minimum, maximum per user, quota; then days with their rates. */
const FIXED: readonly (readonly [string, string, string, string, readonly (readonly [number, string])[]])[] = [
  [
    "USDT",
    "10",
    "200000",
    "2000000",
    [
      [7, "0.032"],
      [14, "0.038"],
      [30, "0.05"],
      [60, "0.056"],
      [90, "0.062"],
    ],
  ],
  [
    "ETH",
    "0.01",
    "100",
    "1000",
    [
      [30, "0.027"],
      [60, "0.032"],
      [90, "0.036"],
    ],
  ],
  [
    "BTC",
    "0.001",
    "10",
    "60",
    [
      [30, "0.012"],
      [60, "0.015"],
      [90, "0.018"],
    ],
  ],
  [
    "SOL",
    "0.1",
    "1000",
    "9000",
    [
      [14, "0.045"],
      [30, "0.051"],
      [60, "0.058"],
    ],
  ],
];
/** Coin of the index, way, touch, days, half width in percent, rates; all take USDT. */
const SHARKS: readonly (readonly [string, "bullish" | "bearish", boolean, number, number, string, string, string])[] = [
  ["BTC", "bullish", false, 7, 6, "0.01", "0.04", "0.18"],
  ["ETH", "bearish", false, 14, 7, "0.01", "0.03", "0.16"],
  ["BTC", "bullish", true, 7, 8, "0.005", "0.04", "0.24"],
];

export interface DefaultParts {
  readonly desk: DeskService;
  readonly service: EarnService;
  readonly index: IndexReader;
  readonly books: EarnBooks;
  submit(command: Command): Promise<{ readonly done: boolean }>;
  findAsset(symbol: string): { readonly asset: number; readonly scale: number } | undefined;
}

const base = { opensAtMs: 0, closesAtMs: 0, dayIn: "0", dayOut: "0", days: 0 } as const;

export async function offerDefaults(parts: DefaultParts, timeMs: number): Promise<void> {
  const { desk } = parts;
  for (const payload of [...steadyProducts(), ...sharkProducts(parts.index, timeMs)]) {
    const read = desk.readProduct(payload, timeMs, true);
    if (!("code" in read)) await desk.put(read);
  }
}

function steadyProducts(): ProductPayload[] {
  const flexible = FLEXIBLE.map(([asset, upto, first, rest, minimum, userMaximum, dayIn]) => ({
    ...base,
    productId: `flexible-${asset.toLowerCase()}`,
    kind: "flexible" as const,
    asset,
    rate: first,
    tiers:
      upto === null
        ? [{ upto: null, rate: rest }]
        : [
            { upto, rate: first },
            { upto: null, rate: rest },
          ],
    minimum,
    userMaximum,
    quota: String(100 * Number.parseInt(userMaximum, 10)),
    dayIn,
    dayOut: dayIn,
  }));
  const fixed = FIXED.flatMap(([asset, minimum, userMaximum, quota, terms]) =>
    terms.map(([days, rate]) => ({
      ...base,
      productId: `fixed-${asset.toLowerCase()}-${days}`,
      kind: "fixed" as const,
      asset,
      days,
      rate,
      minimum,
      userMaximum,
      quota,
    })),
  );
  return [...flexible, ...fixed];
}

/** A new series each week: bought until an hour before it starts, at 08:00 UTC. */
function sharkProducts(index: IndexReader, timeMs: number): ProductPayload[] {
  const day = Math.floor(timeMs / DAY_MS);
  const week = Math.floor(day / 7) * 7;
  const startsAtMs = (week + 7) * DAY_MS + 8 * HOUR_MS;
  return SHARKS.flatMap(([coin, direction, isTouch, days, width, baseRate, lowRate, highRate]) => {
    const ticks = index.readIndex(coin);
    if (ticks === undefined) return [];
    const strike = (percent: number): string =>
      index.priceText(coin, Math.max(1, Math.round((ticks * (100 + percent)) / 100)));
    const name = `shark-${coin.toLowerCase()}-${direction}${isTouch ? "-touch" : ""}-${days}-${week}`;
    return [
      {
        ...base,
        productId: name,
        kind: "shark" as const,
        asset: "USDT",
        days,
        rate: highRate,
        minimum: "100",
        userMaximum: "50000",
        quota: "1000000",
        closesAtMs: startsAtMs - HOUR_MS,
        startsAtMs,
        endsAtMs: startsAtMs + days * DAY_MS,
        shark: {
          index: coin,
          direction,
          isTouch,
          low: strike(-width),
          high: strike(width),
          baseRate,
          lowRate,
          highRate,
        },
      },
    ];
  });
}

/** Simulated users and their subscriptions; the same at every start, by the same ids. */
const HOLDERS: readonly (readonly [string, string, string])[] = [
  ["flexible-usdt", "USDT", "180000"],
  ["flexible-btc", "BTC", "12.5"],
  ["flexible-eth", "ETH", "160"],
  ["flexible-sol", "SOL", "40"],
  ["fixed-usdt-30", "USDT", "146800"],
  ["fixed-usdt-90", "USDT", "92000"],
  ["fixed-eth-60", "ETH", "41.2"],
];
export const FIRST_HOLDER = SIMULATED_USER_MAX - 100;

export async function simulateHolders(parts: DefaultParts, timeMs: number): Promise<void> {
  for (const [index, [productId, symbol, amount]] of HOLDERS.entries()) {
    const userId = FIRST_HOLDER + index;
    const coin = parts.findAsset(symbol);
    const spot = await parts.books.user(userId, "spot");
    if (coin === undefined || spot === undefined) continue;
    const money = { asset: coin.asset, units: wholeUnits(amount, coin.scale), reference: `earn:sim:${userId}` };
    const given = await parts.submit({ kind: "transfer", account: RESERVES_ACCOUNT, to: spot, ...money });
    if (given.done) await parts.service.subscribe(userId, { productId, amount, clientId: "simulated" }, timeMs);
  }
}

function wholeUnits(amount: string, scale: number): number {
  const [whole = "0", decimals = ""] = amount.split(".");
  return Number.parseInt(whole + decimals.padEnd(scale, "0"), 10);
}
