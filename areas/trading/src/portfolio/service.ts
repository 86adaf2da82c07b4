// Use case of the portfolio: what a user owns in all their books, its cost and its gain. Stores nothing: lots and days
// are accounting's.

import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { AccountingService, Days } from "../accounting/service.ts";
import type { PairBook } from "../market/pairs.ts";
import type { Portfolio, PortfolioCoin } from "./contract.ts";
import { shareText, unrealisedOf } from "./rules.ts";

/** What everything is counted in. */
const MONEY = "USDT";
const WORTH_SCALE = 6;
/** Coins that cost a millionth of a dollar still have an average. */
const AVERAGE_SCALE = 12;

interface Row {
  readonly coin: PortfolioCoin;
  readonly worth: bigint | undefined;
  readonly realised: bigint;
  readonly unrealised: bigint;
}

export class PortfolioService {
  readonly #pairs: PairBook;
  readonly #accounting: Pick<AccountingService, "readDays">;

  constructor({ pairs, accounting }: { readonly pairs: PairBook; readonly accounting: AccountingService }) {
    this.#pairs = pairs;
    this.#accounting = accounting;
  }

  async read(userId: number, timeMs: number): Promise<Portfolio> {
    const sinceMs = timeMs - (timeMs % DAY_MS);
    const days = await this.#accounting.readDays(userId, sinceMs / DAY_MS, 1);
    if (days === undefined) return { ...NOTHING_YET, todaySinceMs: sinceMs };
    // Every coin ever held.
    const assets = new Set([...days.lots.assets, ...days.closing.held.keys()]);
    const rows = [...assets].flatMap((asset) => this.#describe(asset, days) ?? []);
    const sum = (pick: (row: Row) => bigint): bigint => rows.reduce((total, row) => total + pick(row), 0n);
    const held = sum(({ worth }) => worth ?? 0n);
    const pnl = days.results.at(-1)?.pnlUnits ?? 0n;
    const total = held + days.closing.committedUnits;
    rows.sort((left, right) => ((right.worth ?? -1n) > (left.worth ?? -1n) ? 1 : -1));
    return {
      totalUsdt: worthText(total),
      committedUsdt: worthText(days.closing.committedUnits),
      realisedUsdt: worthText(sum(({ realised }) => realised)),
      unrealisedUsdt: worthText(sum(({ unrealised }) => unrealised)),
      todayUsdt: worthText(pnl),
      todayPercent: shareText(pnl, total - pnl),
      todaySinceMs: sinceMs,
      // A coin no longer held is listed for the day of its last gain.
      coins: rows.map(({ coin }) => coin).filter(({ total, todayUsdt }) => total !== "0" || (todayUsdt ?? "0") !== "0"),
    };
  }

  #describe(asset: number, days: Days): Row | undefined {
    const facts = this.#pairs.findAssetById(asset);
    const heldUnits = days.closing.held.get(asset) ?? 0n;
    if (facts === undefined) return undefined;
    const worth = heldUnits === 0n ? 0n : this.#pairs.worthUnits(asset, heldUnits);
    const isMoney = facts.symbol === MONEY;
    const cost = days.lots.cost(asset);
    const unrealised = isMoney || worth === undefined ? undefined : unrealisedOf(cost, worth);
    const { knownUnits, costUnits, realisedUnits: realised } = cost;
    const finer = 10n ** BigInt(facts.scale + AVERAGE_SCALE - WORTH_SCALE);
    const average = knownUnits === 0n ? null : formatUnits(units((costUnits * finer) / knownUnits), AVERAGE_SCALE);
    const coin: PortfolioCoin = {
      asset: facts.symbol,
      name: facts.name,
      total: formatUnits(units(heldUnits), facts.scale),
      worthUsdt: worth === undefined ? null : worthText(worth),
      averageCostUsdt: average,
      unrealisedUsdt: unrealised === undefined ? null : worthText(unrealised.gainUnits),
      unrealisedPercent: unrealised === undefined ? null : shareText(unrealised.gainUnits, unrealised.costUnits),
      realisedUsdt: worthText(realised),
      todayUsdt: worth === undefined ? null : worthText(days.gainOf(asset)),
    };
    return { coin, worth, realised, unrealised: unrealised?.gainUnits ?? 0n };
  }
}

const NOTHING_YET = {
  totalUsdt: "0",
  committedUsdt: "0",
  realisedUsdt: "0",
  unrealisedUsdt: "0",
  todayUsdt: "0",
  todayPercent: null,
  coins: [],
};

function worthText(worthUnits: bigint): string {
  return formatUnits(units(worthUnits), WORTH_SCALE);
}
