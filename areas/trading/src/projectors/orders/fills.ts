// Owns fills with their fees, copied straight from the records of trades and postings into the values of statements:
// the single reading of them, for the tables and for memory.
import { EVENT_HEADER, EVENTS } from "@clockwork/core/protocol/event";
import { SIDES } from "@clockwork/core/protocol/names";
import type { LedgerFacts, MarketFacts, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { exactWorth } from "@clockwork/kit/instrument";
import type { FillRow } from "../rows/rows.ts";

const COLUMNS = [
  "account",
  "sequence",
  "trade_number",
  "market",
  "order_id",
  "price_ticks",
  "lots",
  "notional_units",
  "time_ms",
  "fee_asset",
  "fee_units",
  "realized_units",
  "gold_fee_units",
] as const;
const TRADE_NUMBER = COLUMNS.indexOf("trade_number");
const FEE_ASSET = COLUMNS.indexOf("fee_asset");
const FEE_UNITS = COLUMNS.indexOf("fee_units");
const REALIZED_UNITS = COLUMNS.indexOf("realized_units");
const GOLD_FEE_UNITS = COLUMNS.indexOf("gold_fee_units");
const ROLES = ["taker", "maker"] as const;

/** By role, then by side. */
const SHAPES = ROLES.map((role) =>
  SIDES.map((side) => new RowShape({ table: "engine_fills", columns: COLUMNS, fixed: { role, side } })),
);

const TRADE = EVENTS.trade.kind;
const POSTING = EVENTS.posting.kind;
const POSITION = EVENTS.positionChanged.kind;
const BONUS = EVENTS.bonusChanged.kind;
export const FILL_KINDS: readonly number[] = [TRADE, POSTING, POSITION, BONUS];
/** Charges for a fill; the reference of such a posting is the trade's number. */
const FEE_BUSINESSES: ReadonlySet<string> = new Set(["fee", "openFee", "closeFee"]);
const BUY = SIDES.indexOf("buy");

const trade = EVENTS.trade.layout;
const posting = EVENTS.posting.layout;
const position = EVENTS.positionChanged.layout;
const bonus = EVENTS.bonusChanged.layout;
const { sequence: sequenceField } = EVENT_HEADER;

/** A fill of the current command, whose fee may still follow. */
interface OpenFill {
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly values: unknown[];
  readonly at: number;
}

interface OpenFee {
  readonly account: number;
  readonly market: number;
  readonly tradeNumber: number;
  readonly asset: number;
  readonly units: number;
  /** Paid by almighty gold: its posting is of another book. */
  readonly isGold: boolean;
}

export class Fills {
  readonly #facts: LedgerFacts;
  readonly #isKept: (account: number) => boolean;
  readonly #fills = ROLES.map(() => SIDES.map((): unknown[] => []));
  #sequence = 0;
  /** By trade number. */
  readonly #openFills = new Map<number, OpenFill[]>();
  readonly #openFees: OpenFee[] = [];
  /** The newest fill of an account in a contract: the next profit its position realises belongs to it. */
  readonly #newest = new Map<string, OpenFill>();

  constructor(facts: LedgerFacts, isKept: (account: number) => boolean) {
    this.#facts = facts;
    this.#isKept = isKept;
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (kind === TRADE) this.#addTrade(view, at, timeMs);
    else if (kind === POSITION) this.#addRealized(view, at);
    else if (kind === BONUS) this.#addGold(view, at);
    else this.#addFee(view, at);
  }

  #addRealized(view: DataView, at: number): void {
    const units = position.realizedUnits.read(view, at);
    if (units === 0 || sequenceField.read(view, at) !== this.#sequence) return;
    const fill = this.#newest.get(`${position.account.read(view, at)}:${position.market.read(view, at)}`);
    if (fill === undefined) return;
    fill.values[fill.at + REALIZED_UNITS] = (fill.values[fill.at + REALIZED_UNITS] as number) + units;
  }

  #addFee(view: DataView, at: number): void {
    const account = posting.account.read(view, at);
    const units = posting.deltaUnits.read(view, at);
    if (units >= 0 || !FEE_BUSINESSES.has(posting.business.read(view, at)) || !this.#isKept(account)) return;
    const sequence = sequenceField.read(view, at);
    if (sequence !== this.#sequence) this.#beginCommand(sequence);
    this.#openFees.push({
      account,
      market: posting.market.read(view, at),
      tradeNumber: posting.reference.read(view, at),
      asset: posting.asset.read(view, at),
      units: -units,
      isGold: false,
    });
  }

  /** The gold's share comes next to the holder's account; for a fee, it belongs to the fill before. */
  #addGold(view: DataView, at: number): void {
    const units = bonus.deltaUnits.read(view, at);
    if (units >= 0 || sequenceField.read(view, at) !== this.#sequence) return;
    if (!FEE_BUSINESSES.has(bonus.business.read(view, at))) return;
    const [account, market] = [bonus.account.read(view, at), bonus.market.read(view, at)];
    const fill = this.#newest.get(`${account}:${market}`);
    if (fill === undefined) return;
    const tradeNumber = fill.values[fill.at + TRADE_NUMBER] as number;
    const asset = bonus.asset.read(view, at);
    this.#openFees.push({ account, market, tradeNumber, asset, units: -units, isGold: true });
  }

  /** A row for each side that is stored. */
  #addTrade(view: DataView, at: number, timeMs: number): void {
    const sequence = sequenceField.read(view, at);
    if (sequence !== this.#sequence) this.#beginCommand(sequence);
    const takerSide = trade.takerSide.read(view, at) === "buy" ? BUY : 1 - BUY;
    const taker = trade.account.read(view, at);
    const maker = trade.makerAccount.read(view, at);
    if (this.#isKept(taker)) this.#addFill(view, at, timeMs, 0, taker, takerSide, trade.takerOrderId.read(view, at));
    if (this.#isKept(maker)) {
      this.#addFill(view, at, timeMs, 1, maker, 1 - takerSide, trade.makerOrderId.read(view, at));
    }
  }

  #addFill(
    view: DataView,
    at: number,
    timeMs: number,
    role: number,
    account: number,
    side: number,
    orderId: number,
  ): void {
    const lots = trade.lots.read(view, at);
    const tradeNumber = trade.tradeNumber.read(view, at);
    const market = trade.market.read(view, at);
    const price = trade.price.read(view, at);
    const values = this.#fills[role]?.[side] as unknown[];
    const fill = { account, market, side, values, at: values.length };
    const known = this.#openFills.get(tradeNumber);
    if (known === undefined) this.#openFills.set(tradeNumber, [fill]);
    else known.push(fill);
    const value = fillValue(this.#facts.markets.get(market), lots, price, side !== BUY);
    values.push(account, this.#sequence, tradeNumber, market, orderId, price, lots, value, timeMs, null, 0, 0, 0);
    if (this.#facts.markets.get(market)?.kind !== "spot") this.#newest.set(`${account}:${market}`, fill);
  }

  async write(session: WriteSession): Promise<void> {
    this.#assignFees();
    for (const [role, sides] of this.#fills.entries()) {
      for (const [side, values] of sides.entries()) await session.write(SHAPES[role]?.[side] as RowShape, values);
    }
  }

  /** As the tables have them, those of a taker first. */
  rows(): FillRow[] {
    this.#assignFees();
    const rows: FillRow[] = [];
    for (const [role, sides] of this.#fills.entries()) {
      for (const [side, values] of sides.entries()) {
        for (let at = 0; at < values.length; at += COLUMNS.length) rows.push(readRow(values, at, role, side));
      }
    }
    return rows.sort((left, right) => left.sequence - right.sequence || left.trade_number - right.trade_number);
  }

  #beginCommand(sequence: number): void {
    this.#assignFees();
    this.#newest.clear();
    this.#sequence = sequence;
  }

  /** A fee belongs to the payer's side of its trade; in a self-trade the asset received decides. */
  #assignFees(): void {
    for (const { account, market, tradeNumber, asset, units, isGold } of this.#openFees) {
      const met = this.#openFills.get(tradeNumber) ?? [];
      const own = met.filter((fill) => fill.account === account && fill.market === market);
      const isBuyer = asset === this.#facts.markets.get(market)?.base;
      const fill = own.length > 1 ? (own.find(({ side }) => (side === BUY) === isBuyer) ?? own[0]) : own[0];
      if (fill === undefined) continue;
      const column = isGold ? GOLD_FEE_UNITS : FEE_UNITS;
      fill.values[fill.at + FEE_ASSET] = asset;
      fill.values[fill.at + column] = (fill.values[fill.at + column] as number) + units;
    }
    this.#openFills.clear();
    this.#openFees.length = 0;
  }
}

/**
 * The worth of a side's lots in settlement units, by the core's own rule: whole for spot and linear contracts; of an
 * inverse contract a buyer's is rounded down and a seller's up.
 */
export function fillValue(
  market: MarketFacts | undefined,
  lots: number,
  priceTicks: number,
  isSell: boolean,
): number | bigint {
  if (market === undefined) return 0;
  const { kind, factor } = market;
  if (kind !== "inverse") {
    const product = lots * priceTicks * factor;
    if (product <= Number.MAX_SAFE_INTEGER) return product;
  }
  const { over, under } = exactWorth(kind, BigInt(factor), BigInt(lots), BigInt(priceTicks));
  return isSell ? (over + under - 1n) / under : over / under;
}

/** In the order of the columns. */
function readRow(values: readonly unknown[], at: number, role: number, side: number): FillRow {
  const number = (column: number): number => values[at + column] as number;
  return {
    account: number(0),
    sequence: number(1),
    trade_number: number(2),
    market: number(3),
    order_id: number(4),
    price_ticks: number(5),
    lots: BigInt(number(6)),
    notional_units: BigInt(number(7)),
    time_ms: number(8),
    fee_asset: values[at + FEE_ASSET] as number | null,
    fee_units: BigInt(number(FEE_UNITS)),
    realized_units: BigInt(number(REALIZED_UNITS)),
    gold_fee_units: BigInt(number(GOLD_FEE_UNITS)),
    role: ROLES[role] ?? "taker",
    side: SIDES[side] ?? "buy",
  };
}
