// Use case of profit analysis: a user's equity and profit day by day, worked out from his bills and the market's candles.
// Keeps nothing: what was paid and what prices were does not change.
import { decimalText } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { Profit, ProfitCoin, ProfitDay } from "./api.ts";
import type { ProfitNeeds } from "./needs.ts";
import { analyse, type DayMove, type DayResult, equityOf, priceGain, RATE_ONE, type WorthAt } from "./rules.ts";
import type { ProfitStore } from "./store.ts";

const DAYS = 90;
const WORTH_SCALE = 6;
const RATE_SCALE = 8;
const MONEY = "USDT";
const RIVAL = "BTC";

type Closes = ReadonlyMap<number, number>;

export class ProfitService {
  readonly #needs: ProfitNeeds;
  readonly #store: ProfitStore;

  constructor({ needs, store }: { readonly needs: ProfitNeeds; readonly store: ProfitStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async read(userId: number, days = DAYS): Promise<Profit> {
    const today = Math.floor(this.#needs.now() / DAY_MS);
    const moves = await this.#listMoves(userId);
    const begin = moves[0]?.day;
    if (begin === undefined) return { equityUsdt: "0", openingUsdt: "0", days: [], coins: [] };
    const first = Math.max(begin, today - days + 1);
    const assets = [...new Set(moves.map(({ asset }) => asset))];
    const closes = new Map<number, Closes>();
    for (const asset of assets) closes.set(asset, await this.#needs.readCloses(asset, first - 1, today));
    const worthAt = this.#worthAt(closes, today);
    const results = analyse(moves, first, today, worthAt);
    const opening = equityOf(sumHeld(moves, first), first - 1, worthAt);
    // Somebody who came that day is compared from its end on: he held nothing before.
    const rival = await this.#readRival(first, today, begin === first ? first : first - 1);
    return {
      equityUsdt: worthText(results.at(-1)?.equityUnits ?? 0n),
      openingUsdt: worthText(opening),
      days: results.map((result) => describeDay(result, rival(result.day))),
      coins: this.#describeCoins(moves, assets, first, today, worthAt),
    };
  }

  async #listMoves(userId: number): Promise<readonly DayMove[]> {
    await this.#needs.settled();
    const books = new Map((await this.#needs.listBooks(userId)).map(({ account, isBot }) => [account, isBot]));
    const rows = await this.#store.sumByDay([...books.keys()]);
    return rows.map(({ account, ...row }) => ({ ...row, isBot: books.get(account) === true }));
  }

  /** Today counts at the present price; a day without a candle at the nearest one before it, or else the first after. */
  #worthAt(closes: ReadonlyMap<number, Closes>, today: number): WorthAt {
    const money = this.#needs.findAsset(MONEY)?.asset;
    const ticksAt = (known: Closes, day: number): number | undefined => {
      for (let at = day; at >= day - 7; at -= 1) if (known.has(at)) return known.get(at);
      return known.values().next().value;
    };
    return (asset, amount, day) => {
      if (asset === money) return amount;
      const ticks = day >= today ? undefined : ticksAt(closes.get(asset) ?? new Map(), day);
      const sign = amount < 0n ? -1n : 1n;
      const worth =
        ticks === undefined
          ? this.#needs.worthUnits(asset, amount * sign)
          : this.#needs.worthAtTicks(asset, amount * sign, ticks);
      return (worth ?? 0n) * sign;
    };
  }

  async #readRival(first: number, today: number, from: number): Promise<(day: number) => bigint | undefined> {
    const rival = this.#needs.findAsset(RIVAL)?.asset;
    const closes =
      rival === undefined ? new Map<number, number>() : await this.#needs.readCloses(rival, first - 1, today);
    const start = closes.get(from) ?? closes.values().next().value;
    return (day) => {
      const close = closes.get(day);
      if (start === undefined || start === 0 || close === undefined) return undefined;
      return (BigInt(close) * RATE_ONE) / BigInt(start) - RATE_ONE;
    };
  }

  #describeCoins(
    moves: readonly DayMove[],
    assets: readonly number[],
    first: number,
    today: number,
    worthAt: WorthAt,
  ): ProfitCoin[] {
    const held = sumHeld(moves, today + 1);
    const rows = assets.flatMap((asset) => {
      const coin = this.#needs.findAssetById(asset);
      const total = held.get(asset) ?? 0n;
      if (coin === undefined) return [];
      const worth = coin.symbol === MONEY ? total : this.#needs.worthUnits(asset, total < 0n ? 0n : total);
      const gain = worth === undefined ? undefined : priceGain(moves, asset, first, today, worthAt);
      if (total === 0n && (gain ?? 0n) === 0n) return [];
      return [{ coin, total, worth, gain }];
    });
    rows.sort((left, right) => ((right.worth ?? -1n) > (left.worth ?? -1n) ? 1 : -1));
    return rows.map(({ coin, total, worth, gain }) => ({
      asset: coin.symbol,
      name: coin.name,
      total: formatUnits(units(total), coin.scale),
      worthUsdt: worth === undefined ? null : worthText(worth),
      priceGainUsdt: gain === undefined ? null : worthText(gain),
    }));
  }
}

function sumHeld(moves: readonly DayMove[], before: number): ReadonlyMap<number, bigint> {
  const held = new Map<number, bigint>();
  for (const { day, asset, units: change } of moves) {
    if (day < before) held.set(asset, (held.get(asset) ?? 0n) + change);
  }
  return held;
}

function describeDay({ day, sources, ...result }: DayResult, rival: bigint | undefined): ProfitDay {
  return {
    dayMs: day * DAY_MS,
    equityUsdt: worthText(result.equityUnits),
    inUsdt: worthText(result.inUnits),
    outUsdt: worthText(result.outUnits),
    pnlUsdt: worthText(result.pnlUnits),
    returnRate: rateText(result.returnRate),
    btcRate: rival === undefined ? null : rateText(rival),
    futuresUsdt: worthText(sources.futures),
    botsUsdt: worthText(sources.bots),
    earnUsdt: worthText(sources.earn),
    feesUsdt: worthText(sources.fees),
  };
}

function worthText(worthUnits: bigint): string {
  return formatUnits(units(worthUnits), WORTH_SCALE);
}

function rateText(rate: bigint): string {
  return rate < 0n ? `-${decimalText(-rate, RATE_SCALE)}` : decimalText(rate, RATE_SCALE);
}
