// Owns bills, fills and balances of a run of events, taken straight off their bytes into the values of statements: they
// are most of what the tables get, and none of them changes what another says.
// Must give the same rows however the events are cut into runs, as long as a command stays whole.
import { readEvent } from "@clockwork/core/protocol/codec";
import type { EventOf } from "@clockwork/core/protocol/event";
import { BUSINESSES, FIRST_USER_ACCOUNT, SIDES } from "@clockwork/core/protocol/names";
import type { ProjectionMemory } from "./fold.ts";
import { RowShape, type RunStatement } from "./statements.ts";

const BILL_COLUMNS = [
  "account",
  "sequence",
  "line",
  "asset",
  "delta_units",
  "available_units",
  "frozen_units",
  "counterparty",
  "market",
  "reference_number",
  "time_ms",
];
const FILL_COLUMNS = [
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
];
const FEE_ASSET = FILL_COLUMNS.indexOf("fee_asset");
const FEE_UNITS = FILL_COLUMNS.indexOf("fee_units");
const ROLES = ["taker", "maker"] as const;

const BILLS = BUSINESSES.map(
  (business) => new RowShape({ table: "engine_bills", columns: BILL_COLUMNS, fixed: { business } }),
);
const NAMED_BILLS = BUSINESSES.map(
  (business) => new RowShape({ table: "engine_bills", columns: [...BILL_COLUMNS, "reference"], fixed: { business } }),
);
/** By role, then by side. */
const FILLS = ROLES.map((role) =>
  SIDES.map((side) => new RowShape({ table: "engine_fills", columns: FILL_COLUMNS, fixed: { role, side } })),
);
const BALANCES = new RowShape({
  table: "engine_balances",
  columns: ["account", "asset", "available_units", "frozen_units", "updated_sequence"],
  key: ["account", "asset"],
});

const FEE = BUSINESSES.indexOf("fee");
const BUY = SIDES.indexOf("buy");
/** Assets there can be: one number names an account's balance. */
const ASSETS_MAX = 0x200000;
const SLOTS = 0x1000000;

/** A fill of the command being read, whose fee may still come. */
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
}

export class Entries {
  readonly #memory: ProjectionMemory;
  readonly #bills = BUSINESSES.map((): unknown[] => []);
  readonly #namedBills = BUSINESSES.map((): unknown[] => []);
  readonly #fills = ROLES.map(() => SIDES.map((): unknown[] => []));
  readonly #places = new Map<number, number>();
  readonly #balances: number[] = [];
  #sequence = 0;
  #line = 0;
  /** Businesses of the bills of this command that no reference has named yet, in order. */
  #unnamed: number[] = [];
  /** By trade number. */
  readonly #openFills = new Map<number, OpenFill[]>();
  readonly #openFees: OpenFee[] = [];

  constructor(memory: ProjectionMemory) {
    this.#memory = memory;
  }

  /** One leg of a double entry. */
  addPosting(view: DataView, at: number, timeMs: number): void {
    const account = view.getInt32(at + 4, true);
    const sequence = view.getFloat64(at + 8, true);
    const asset = view.getInt32(at + 16, true);
    const counterparty = view.getInt32(at + 20, true);
    if (sequence !== this.#sequence) this.#beginCommand(sequence);
    this.setBalance(view, at, asset);
    const line = this.#line++;
    if (this.#isUntold(account, counterparty)) return;
    const business = view.getUint8(at + 1);
    const deltaUnits = view.getFloat64(at + 24, true);
    const reference = view.getFloat64(at + 32, true);
    const market = view.getInt32(at + 40, true);
    (this.#bills[business] as unknown[]).push(
      account,
      sequence,
      line,
      asset,
      deltaUnits,
      view.getFloat64(at + 48, true),
      view.getFloat64(at + 56, true),
      counterparty,
      market,
      reference,
      timeMs,
    );
    this.#unnamed.push(business);
    if (business === FEE && deltaUnits < 0) {
      this.#openFees.push({ account, market, tradeNumber: reference, asset, units: -deltaUnits });
    }
  }

  /** The legs of simulated traders, and the house's when such a trader is at the other end, are told by nobody. */
  #isUntold(account: number, counterparty: number): boolean {
    const { simulated } = this.#memory;
    if (account >= FIRST_USER_ACCOUNT) return simulated.has(account);
    return simulated.has(counterparty);
  }

  /** The text reference of the bills before it. */
  nameBills(view: DataView, at: number, timeMs: number): void {
    const { reference, sequence } = readEvent(view, at, timeMs) as EventOf<"reference">;
    if (sequence !== this.#sequence) return;
    for (const business of this.#unnamed.reverse()) {
      const values = this.#bills[business] ?? [];
      this.#namedBills[business]?.push(...values.splice(values.length - BILL_COLUMNS.length), reference);
    }
    this.#unnamed = [];
  }

  /** A row for each side that is a person's. */
  addTrade(view: DataView, at: number, timeMs: number): void {
    const sequence = view.getFloat64(at + 8, true);
    if (sequence !== this.#sequence) this.#beginCommand(sequence);
    const takerSide = view.getUint16(at + 2, true) & 1;
    this.#addFill(view, at, timeMs, 0, view.getInt32(at + 4, true), takerSide, at + 16);
    this.#addFill(view, at, timeMs, 1, view.getInt32(at + 56, true), 1 - takerSide, at + 24);
  }

  #addFill(
    view: DataView,
    at: number,
    timeMs: number,
    role: number,
    account: number,
    side: number,
    orderAt: number,
  ): void {
    if (this.#memory.simulated.has(account)) return;
    const lots = view.getFloat64(at + 32, true);
    const tradeNumber = view.getFloat64(at + 40, true);
    const market = view.getInt32(at + 48, true);
    const price = view.getInt32(at + 52, true);
    const values = this.#fills[role]?.[side] as unknown[];
    const fill = { account, market, side, values, at: values.length };
    const known = this.#openFills.get(tradeNumber);
    if (known === undefined) this.#openFills.set(tradeNumber, [fill]);
    else known.push(fill);
    values.push(
      account,
      this.#sequence,
      tradeNumber,
      market,
      view.getInt32(orderAt, true) + view.getInt32(orderAt + 4, true) * SLOTS,
      price,
      lots,
      multiply(price, lots, this.#memory.markets.get(market)?.tick_lot_units ?? 0n),
      timeMs,
      null,
      0,
    );
  }

  /** What an event says of its account's balance; the last one counts. */
  setBalance(view: DataView, at: number, asset: number): void {
    const account = view.getInt32(at + 4, true);
    const balances = this.#balances;
    const key = account * ASSETS_MAX + asset;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = balances.length;
      this.#places.set(key, place);
      balances.push(account, asset, 0, 0, 0);
    }
    balances[place + 2] = view.getFloat64(at + 48, true);
    balances[place + 3] = view.getFloat64(at + 56, true);
    balances[place + 4] = view.getFloat64(at + 8, true);
  }

  async write(run: RunStatement, isNumbered: boolean): Promise<void> {
    this.#assignFees();
    const send = async (shape: RowShape | undefined, values: readonly unknown[]): Promise<void> => {
      if (values.length > 0) await shape?.write(run, isNumbered, values);
    };
    for (const [role, sides] of this.#fills.entries()) {
      for (const [side, values] of sides.entries()) await send(FILLS[role]?.[side], values);
    }
    for (const [business, values] of this.#bills.entries()) await send(BILLS[business], values);
    for (const [business, values] of this.#namedBills.entries()) await send(NAMED_BILLS[business], values);
    await send(BALANCES, this.#balances);
  }

  #beginCommand(sequence: number): void {
    this.#assignFees();
    this.#sequence = sequence;
    this.#line = 0;
    this.#unnamed.length = 0;
  }

  /** A fee belongs to the payer's side of its trade; who trades with himself is told apart by the asset he received. */
  #assignFees(): void {
    for (const { account, market, tradeNumber, asset, units } of this.#openFees) {
      const met = this.#openFills.get(tradeNumber) ?? [];
      const own = met.filter((fill) => fill.account === account && fill.market === market);
      const isBuyer = asset === this.#memory.markets.get(market)?.base_asset;
      const fill = own.length > 1 ? (own.find(({ side }) => (side === BUY) === isBuyer) ?? own[0]) : own[0];
      if (fill === undefined) continue;
      fill.values[fill.at + FEE_ASSET] = asset;
      fill.values[fill.at + FEE_UNITS] = (fill.values[fill.at + FEE_UNITS] as number) + units;
    }
    this.#openFills.clear();
    this.#openFees.length = 0;
  }
}

/** Exact: as a number where it fits one. */
function multiply(price: number, lots: number, unit: bigint): number | bigint {
  const product = price * lots * Number(unit);
  return product <= Number.MAX_SAFE_INTEGER ? product : BigInt(price) * BigInt(lots) * unit;
}
