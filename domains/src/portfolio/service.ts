// Use case of the portfolio: cost and profit of a user's spot account. What was folded of its fills is remembered in
// memory and goes on from there; the tables alone are the truth.
import { formatUnits, units } from "@clockwork/kit/money";
import { answer, type Outcome } from "@clockwork/kit/route";
import { DAY_MS } from "@clockwork/kit/time";
import type { Portfolio, PortfolioCoin } from "./api.ts";
import type { HeldUnits, PortfolioNeeds } from "./needs.ts";
import { type Cost, type CostFill, dayGain, NO_COST, shareText, takeFill, unrealisedOf } from "./rules.ts";
import type { FillFacts, PortfolioStore } from "./store.ts";

const WORTH_SCALE = 6;
/** Coins that cost a millionth of a dollar still have an average. */
const AVERAGE_SCALE = 12;
const PAGE = 1_000;
const REMEMBERED_MAX = 2_000;
/** What a day's gain is worked out from at most. */
const DAY_ROWS_MAX = 20_000;

interface Folded {
  after: readonly [number, number];
  readonly costs: Map<number, Cost>;
}

/** What moved and what was traded since midnight, by coin. */
interface Day {
  readonly moved: ReadonlyMap<number, bigint>;
  readonly traded: ReadonlyMap<number, { readonly bought: bigint; readonly paid: bigint }>;
}

export class PortfolioService {
  readonly #needs: PortfolioNeeds;
  readonly #store: PortfolioStore;
  readonly #folded = new Map<number, Folded>();
  readonly #folding = new Map<number, Promise<Folded>>();

  constructor({ needs, store }: { readonly needs: PortfolioNeeds; readonly store: PortfolioStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async read(userId: number, timeMs: number): Promise<Outcome<Portfolio>> {
    const sinceMs = timeMs - (timeMs % DAY_MS);
    const account = await this.#needs.findSpotAccount(userId);
    const held = account === undefined ? [] : await this.#needs.readHeld(account);
    if (account === undefined) {
      return answer({ totalUsdt: "0", todayUsdt: "0", todayPercent: null, todaySinceMs: sinceMs, coins: [] });
    }
    const { costs } = await this.#fold(account);
    const day = await this.#readDay(account, sinceMs);
    const rows = held.flatMap((row) => this.#describe(row, costs.get(row.asset) ?? NO_COST, day, sinceMs) ?? []);
    const total = rows.reduce((sum, { worth }) => sum + (worth ?? 0n), 0n);
    const today = rows.reduce((sum, { gain }) => sum + (gain ?? 0n), 0n);
    rows.sort((left, right) => ((right.worth ?? -1n) > (left.worth ?? -1n) ? 1 : -1));
    return answer({
      totalUsdt: worthText(total),
      todayUsdt: worthText(today),
      todayPercent: shareText(today, total - today),
      todaySinceMs: sinceMs,
      coins: rows.map(({ coin }) => coin),
    });
  }

  /** One fold of an account at a time; whoever asks meanwhile is answered by it. */
  #fold(account: number): Promise<Folded> {
    let folding = this.#folding.get(account);
    if (folding === undefined) {
      folding = this.#foldOn(account).finally(() => this.#folding.delete(account));
      this.#folding.set(account, folding);
    }
    return folding;
  }

  async #foldOn(account: number): Promise<Folded> {
    const folded: Folded = this.#folded.get(account) ?? { after: [0, 0], costs: new Map() };
    for (;;) {
      const fills = await this.#store.listFills(account, folded.after, PAGE);
      for (const fill of fills) {
        const read = this.#readFill(fill);
        if (read !== undefined) folded.costs.set(read.asset, takeFill(folded.costs.get(read.asset) ?? NO_COST, read));
        folded.after = [fill.sequence, fill.trade_number];
      }
      if (fills.length < PAGE) break;
    }
    this.#folded.delete(account);
    this.#folded.set(account, folded);
    const oldest = this.#folded.size > REMEMBERED_MAX ? this.#folded.keys().next().value : undefined;
    if (oldest !== undefined) this.#folded.delete(oldest);
    return folded;
  }

  /** Money of pairs that are not in USDT is counted at the present price of their quote. */
  #readFill(fill: FillFacts): (CostFill & { readonly asset: number }) | undefined {
    const pair = this.#needs.findMarket(fill.market);
    const side = fill.side === "buy" ? "buy" : "sell";
    if (pair === undefined) return undefined;
    const isBuy = side === "buy";
    const feeBase = fill.fee_asset === pair.base ? fill.fee_units : 0n;
    const feeQuote = fill.fee_asset === pair.quote ? fill.fee_units : 0n;
    const base = fill.lots * pair.stepUnits;
    const quote = isBuy ? fill.notional_units + feeQuote : fill.notional_units - feeQuote;
    const moneyUnits = this.#needs.worthUnits(pair.quote, quote);
    if (moneyUnits === undefined) return undefined;
    return { asset: pair.base, side, baseUnits: isBuy ? base - feeBase : base + feeBase, moneyUnits };
  }

  async #readDay(account: number, sinceMs: number): Promise<Day> {
    const [moves, fills] = await Promise.all([
      this.#store.listMovesSince(account, sinceMs, DAY_ROWS_MAX),
      this.#store.listFillsSince(account, sinceMs, DAY_ROWS_MAX),
    ]);
    const moved = new Map<number, bigint>();
    for (const { asset, delta_units } of moves) moved.set(asset, (moved.get(asset) ?? 0n) + delta_units);
    const traded = new Map<number, { bought: bigint; paid: bigint }>();
    for (const fill of fills) {
      const read = this.#readFill(fill);
      if (read === undefined) continue;
      const sign = read.side === "buy" ? 1n : -1n;
      const before = traded.get(read.asset) ?? { bought: 0n, paid: 0n };
      const bought = before.bought + sign * read.baseUnits;
      traded.set(read.asset, { bought, paid: before.paid + sign * read.moneyUnits });
    }
    return { moved, traded };
  }

  #describe(
    { asset, heldUnits }: HeldUnits,
    cost: Cost,
    { moved, traded }: Day,
    sinceMs: number,
  ): { coin: PortfolioCoin; worth: bigint | undefined; gain: bigint | undefined } | undefined {
    const facts = this.#needs.findAssetById(asset);
    if (facts === undefined || heldUnits <= 0n) return undefined;
    const worth = this.#needs.worthUnits(asset, heldUnits);
    const open = worth === undefined ? undefined : unrealisedOf(cost, heldUnits, worth);
    const { bought = 0n, paid = 0n } = traded.get(asset) ?? {};
    const gain =
      worth === undefined
        ? undefined
        : dayGain({
            heldUnits,
            worthUnits: worth,
            movedUnits: moved.get(asset) ?? 0n,
            boughtUnits: bought,
            paidUnits: paid,
            price: this.#needs.priceSince(asset, sinceMs),
          });
    const coin: PortfolioCoin = {
      asset: facts.symbol,
      name: facts.name,
      total: formatUnits(units(heldUnits), facts.scale),
      worthUsdt: worth === undefined ? null : worthText(worth),
      averageCostUsdt: averageText(cost, facts.scale),
      unrealisedUsdt: open === undefined ? null : worthText(open.gainUnits),
      unrealisedPercent: open === undefined ? null : shareText(open.gainUnits, open.costUnits),
      realisedUsdt: worthText(cost.realisedUnits),
      todayUsdt: gain === undefined ? null : worthText(gain),
    };
    return { coin, worth, gain };
  }
}

function averageText({ quantityUnits, costUnits }: Cost, scale: number): string | null {
  if (quantityUnits === 0n) return null;
  const finer = 10n ** BigInt(AVERAGE_SCALE - WORTH_SCALE);
  return formatUnits(units((costUnits * finer * 10n ** BigInt(scale)) / quantityUnits), AVERAGE_SCALE);
}

function worthText(worthUnits: bigint): string {
  return formatUnits(units(worthUnits), WORTH_SCALE);
}
