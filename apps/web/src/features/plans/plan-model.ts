// The form of a recurring buy: weights that keep their sum, and the body a plan is sent as.

import type { CreateBody } from "@clockwork/earning/plans/contract";
import { type DecimalTextOptions, formatDecimal } from "@clockwork/kit/format";

export type PlanForm = Omit<CreateBody, "clientId">;
export type Weighted = PlanForm["coins"][number];

export const START: PlanForm = {
  name: "Majors",
  coins: [
    { asset: "BTC", weight: 50 },
    { asset: "ETH", weight: 30 },
    { asset: "SOL", weight: 20 },
  ],
  amount: "100",
  rhythm: "week",
  minuteOfDay: 480,
  weekday: 1,
  monthDay: 1,
  sources: ["spot", "funding"],
};

/** A mix named in the address, as `BTC-70.ETH-30`; an invalid mix gives the default. */
export function readMix(address: URLSearchParams, traded: readonly string[]): PlanForm {
  const coins = (address.get("mix") ?? "").split(".").map((part) => {
    const [asset = "", weight = ""] = part.split("-");
    return { asset, weight: /^[1-9]\d{0,2}$/.test(weight) ? Number.parseInt(weight, 10) : 0 };
  });
  const isWhole =
    coins.length <= 5 &&
    coins.every(({ asset, weight }) => weight > 0 && traded.includes(asset)) &&
    new Set(coins.map(({ asset }) => asset)).size === coins.length &&
    coins.reduce((sum, { weight }) => sum + weight, 0) === 100;
  if (!isWhole) return START;
  return { ...START, coins, name: (address.get("name") ?? "").trim().slice(0, 40) || START.name };
}

/** One weight moves and the others change in proportion, so that the sum remains 100. */
export function balanceWeights(coins: readonly Weighted[], index: number, value: number): Weighted[] {
  const others = coins.length - 1;
  if (others === 0) return coins.map((coin) => ({ ...coin, weight: 100 }));
  const weight = Math.min(100 - others, Math.max(1, value));
  const before = coins.reduce((sum, coin, place) => (place === index ? sum : sum + coin.weight), 0);
  const left = 100 - weight;
  const shared = coins.map((coin, place) =>
    place === index ? weight : Math.max(1, Math.floor((left * coin.weight) / Math.max(1, before))),
  );
  // What rounding left goes to the largest of the others.
  const largest = shared.reduce(
    (best, one, place) => (place !== index && (best === -1 || one > (shared[best] ?? 0)) ? place : best),
    -1,
  );
  const rest = 100 - shared.reduce((sum, one) => sum + one, 0);
  return coins.map((coin, place) => ({ ...coin, weight: (shared[place] ?? 1) + (place === largest ? rest : 0) }));
}

export function evenOut(coins: readonly Weighted[]): Weighted[] {
  const each = Math.floor(100 / coins.length);
  return coins.map((coin, index) => ({ ...coin, weight: index === 0 ? 100 - each * (coins.length - 1) : each }));
}

export function planBody({ name, coins, amount, rhythm, minuteOfDay, weekday, monthDay, sources }: PlanForm): PlanForm {
  const plain = coins.map(({ asset, weight }) => ({ asset, weight }));
  return { name: name.trim(), coins: plain, amount, rhythm, minuteOfDay, weekday, monthDay, sources };
}

/** Amounts as they are shown: cut, with thousands apart. */
export const formatAmount = (amount: string, options: DecimalTextOptions = {}): string =>
  formatDecimal(amount, { grouped: true, ...options });
