// Use case of profit analysis: a user's equity and profit day by day against the BTC benchmark. Stores nothing: the
// days are accounting's.
import { type DayResult, equityOf, RATE_ONE } from "@clockwork/kit/accounting/days";
import { decimalText } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { AccountingNeeds } from "../accounting/needs.ts";
import type { Days } from "../accounting/service.ts";
import type { PairBook } from "../market/pairs.ts";
import type { Profit, ProfitCoin, ProfitDay } from "./contract.ts";

const DAYS = 90;
const WORTH_SCALE = 6;
const RATE_SCALE = 8;
const RIVAL = "BTC";

type ProfitDays = Omit<Days, "lots">;

export interface ProfitNeeds extends Pick<PairBook, "findAsset" | "findAssetById" | "worthUnits"> {
  readonly now: () => number;
  /** At most this many days, the last is today until now; undefined for a user without any movement. */
  readDays(userId: number, today: number, days: number): Promise<ProfitDays | undefined>;
  readonly readCloses: AccountingNeeds["readCloses"];
}

export class ProfitService {
  readonly #needs: ProfitNeeds;

  constructor({ needs }: { readonly needs: ProfitNeeds }) {
    this.#needs = needs;
  }

  async read(userId: number, days = DAYS): Promise<Profit> {
    const today = Math.floor(this.#needs.now() / DAY_MS);
    const read = await this.#needs.readDays(userId, today, days);
    if (read === undefined) return { equityUsdt: "0", openingUsdt: "0", days: [], coins: [] };
    const { results, first, opening, isWhole, worthAt } = read;
    // A user who joined that day is compared from its end on: there was no balance before.
    const rival = await this.#readRival(first, today, isWhole ? first : first - 1);
    return {
      equityUsdt: worthText(results.at(-1)?.equityUnits ?? 0n),
      openingUsdt: worthText(equityOf(opening, first - 1, worthAt)),
      days: results.map((result) => describeDay(result, rival(result.day))),
      coins: this.#describeCoins(read),
    };
  }

  async #readRival(first: number, today: number, from: number): Promise<(day: number) => bigint | undefined> {
    const rival = this.#needs.findAsset(RIVAL);
    const closes = rival === undefined ? new Map() : await this.#needs.readCloses(rival.asset, first - 1, today);
    const whole = 10n ** BigInt(rival?.scale ?? 0);
    const priceAt = (day: number): bigint | undefined => closes.get(day)?.(whole);
    const start = priceAt(from) ?? closes.values().next().value?.(whole);
    return (day) => {
      const price = priceAt(day);
      if (start === undefined || start === 0n || price === undefined) return undefined;
      return (price * RATE_ONE) / start - RATE_ONE;
    };
  }

  #describeCoins({ opening, closing, gainOf }: ProfitDays): ProfitCoin[] {
    const rows = [...new Set([...opening.held.keys(), ...closing.held.keys()])].flatMap((asset) => {
      const coin = this.#needs.findAssetById(asset);
      const total = closing.held.get(asset) ?? 0n;
      if (coin === undefined) return [];
      const worth = this.#needs.worthUnits(asset, total < 0n ? 0n : total);
      const gain = worth === undefined ? undefined : gainOf(asset);
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
