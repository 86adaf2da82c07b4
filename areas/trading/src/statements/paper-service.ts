// Collects what an account statement on paper says while postings are read, and values its ends. Knows no table and no font.
import type { ValueSource } from "@clockwork/kit/accounting/moments";
import { decimalText } from "@clockwork/kit/decimal";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { formatClock, formatDate } from "@clockwork/kit/time";
import { BUSINESS_NAMES } from "./business-names.ts";
import type { CoinMoves, Issuer, MoveLine, Paper } from "./paper-rules.ts";
import type { Posting } from "./rules.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const MONEY_SCALE = 6;
const DASH = "–";

interface Coin {
  readonly symbol: string;
  readonly scale: number;
  readonly asset: number;
  readonly openingUnits: bigint;
  balanceUnits: bigint;
  inUnits: bigint;
  outUnits: bigint;
  readonly moves: MoveLine[];
}

export interface PaperAsk {
  readonly userId: number;
  readonly asset: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PaperNeeds {
  readonly issuer: Issuer;
  readonly customer: readonly string[];
  readonly values: ValueSource;
  /** USDT, which values are counted in. */
  readonly money: number;
}

/** 3 Oct */
function dayOf(timeMs: number): string {
  const [, month = "1", day = "1"] = formatDate(timeMs).split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

const fullDay = (timeMs: number): string => `${dayOf(timeMs)} ${formatDate(timeMs).slice(0, 4)}`;

function amountOf(units: bigint, scale: number): string {
  const text = formatCoins(decimalText(units < 0n ? -units : units, scale));
  return units < 0n ? `−${text}` : text;
}

const signed = (units: bigint, scale: number): string =>
  units > 0n ? `+${amountOf(units, scale)}` : amountOf(units, scale);
const usd = (units: bigint): string => formatDecimal(decimalText(units, MONEY_SCALE), { grouped: true, decimals: 2 });

export class PaperMaker {
  readonly #ask: PaperAsk;
  readonly #needs: PaperNeeds;
  readonly #coins = new Map<string, Coin>();

  constructor(ask: PaperAsk, needs: PaperNeeds) {
    this.#ask = ask;
    this.#needs = needs;
  }

  open(symbol: string, asset: number, scale: number, units: bigint): void {
    const coin = this.#coins.get(symbol);
    const openingUnits = (coin?.openingUnits ?? 0n) + units;
    const rest = { symbol, asset, scale, inUnits: 0n, outUnits: 0n, moves: [] };
    this.#coins.set(symbol, { ...rest, openingUnits, balanceUnits: openingUnits });
  }

  add({ asset: symbol, scale, business, deltaUnits, settledMs, account, reference }: Posting, asset: number): void {
    if (deltaUnits === 0n) return;
    if (!this.#coins.has(symbol)) this.open(symbol, asset, scale, 0n);
    const coin = this.#coins.get(symbol) as Coin;
    coin.balanceUnits += deltaUnits;
    if (deltaUnits > 0n) coin.inUnits += deltaUnits;
    else coin.outUnits -= deltaUnits;
    coin.moves.push({
      day: dayOf(settledMs),
      time: formatClock(settledMs).slice(0, 5),
      words: BUSINESS_NAMES[business] ?? "Other movement",
      detail: [account, ...(reference === "" ? [] : [`Reference ${reference}`])].join(" · "),
      amount: signed(deltaUnits, scale),
      balance: amountOf(coin.balanceUnits, scale),
    });
  }

  async end(journalHead: number): Promise<Paper> {
    const { userId, asset, fromMs, toMs } = this.#ask;
    const coins = [...this.#coins.values()].sort((left, right) => (left.symbol < right.symbol ? -1 : 1));
    let [openingValue, closingValue] = [0n, 0n];
    const lines: Paper["coins"][number][] = [];
    for (const { symbol, scale, asset: number, openingUnits, balanceUnits, inUnits, outUnits } of coins) {
      const [before, after] = [await this.#worth(number, fromMs), await this.#worth(number, toMs)];
      openingValue += before?.(openingUnits) ?? 0n;
      const value = after?.(balanceUnits);
      closingValue += value ?? 0n;
      lines.push({
        coin: symbol,
        opening: amountOf(openingUnits, scale),
        paidIn: inUnits === 0n ? DASH : amountOf(inUnits, scale),
        paidOut: outUnits === 0n ? DASH : amountOf(outUnits, scale),
        closing: amountOf(balanceUnits, scale),
        rate: after === undefined ? DASH : formatCoins(decimalText(after(10n ** BigInt(scale)), MONEY_SCALE)),
        value: value === undefined ? DASH : usd(value),
      });
    }
    const period = `${fullDay(fromMs)} to ${fullDay(toMs - 1)}`;
    return {
      issuer: this.#needs.issuer,
      customer: [...this.#needs.customer, `Account ${userId}`],
      period,
      number: `CW ${formatDate(fromMs).slice(0, 7).replace("-", " ")} ${userId}`,
      facts: [
        ["Period", `${dayOf(fromMs)} to ${fullDay(toMs - 1)}, UTC`],
        ["Accounts", "all"],
        ["Coins", asset === "" ? "all" : asset],
        ["Valued in", "USD, closing rates"],
      ],
      coins: lines,
      openingValue: usd(openingValue),
      closingValue: usd(closingValue),
      sections: coins.map(
        ({ symbol, scale, openingUnits, balanceUnits, moves }): CoinMoves => ({
          coin: symbol,
          opening: amountOf(openingUnits, scale),
          openingDay: dayOf(fromMs),
          closing: amountOf(balanceUnits, scale),
          moves,
        }),
      ),
      journalHead: formatCoins(String(journalHead)),
    };
  }

  async #worth(asset: number, timeMs: number): Promise<((units: bigint) => bigint) | undefined> {
    return asset === this.#needs.money ? (units) => units : this.#needs.values.valueAt(asset, timeMs);
  }
}
