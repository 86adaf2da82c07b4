// Owns bills and balances of a run of events, copied straight from their records into the values of statements: they
// are most of what the tables receive, and the rows are independent of each other.
import { EVENT_HEADER, EVENTS } from "@clockwork/core/protocol/event";
import { BUSINESSES, CLEARING_ACCOUNT, FIRST_USER_ACCOUNT, ROUNDING_ACCOUNT } from "@clockwork/core/protocol/names";
import type { LedgerFacts, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { availableUnits, balanceAccount, frozenUnits } from "./balance.ts";
import { BillDays } from "./bill-days.ts";

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
const BILLS = BUSINESSES.map(
  (business) => new RowShape({ table: "engine_bills", columns: BILL_COLUMNS, fixed: { business } }),
);
const NAMED_BILLS = BUSINESSES.map(
  (business) => new RowShape({ table: "engine_bills", columns: [...BILL_COLUMNS, "reference"], fixed: { business } }),
);
const FUNDING = BUSINESSES.indexOf("funding");
const FUNDING_BILLS = new RowShape({
  table: "engine_bills",
  columns: [...BILL_COLUMNS, "settled_ms"],
  fixed: { business: "funding" },
});
const BALANCES = new RowShape({
  table: "engine_balances",
  columns: ["account", "asset", "available_units", "frozen_units", "updated_sequence"],
  key: ["account", "asset"],
});
const BUSINESS_NUMBERS = new Map<string, number>(BUSINESSES.map((business, number) => [business, number]));

/** Assets there can be: one number names an account's balance. */
const ASSETS_MAX = 0x200000;

const posting = EVENTS.posting.layout;
const reference = EVENTS.reference.layout;
const settlement = EVENTS.fundingSettled.layout;
const { sequence: sequenceField } = EVENT_HEADER;

export class Bills {
  readonly #facts: LedgerFacts;
  readonly #bills = BUSINESSES.map((): unknown[] => []);
  readonly #namedBills = BUSINESSES.map((): unknown[] => []);
  readonly #places = new Map<number, number>();
  readonly #balances: number[] = [];
  readonly #fundingBills: unknown[] = [];
  readonly #days = new BillDays();
  /** When the settlement that is under way was due. */
  #dueMs = 0;
  #sequence = 0;
  #line = 0;
  /** Businesses of the bills of this command that no reference has named yet, in order. */
  #unnamed: number[] = [];

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
  }

  /** The bills of funding that follow are of this settlement. */
  settle(view: DataView, at: number): void {
    this.#dueMs = settlement.dueAt.read(view, at);
  }

  /** One leg of a double entry. */
  addPosting(view: DataView, at: number, timeMs: number): void {
    const account = posting.account.read(view, at);
    const sequence = sequenceField.read(view, at);
    const asset = posting.asset.read(view, at);
    const counterparty = posting.counterparty.read(view, at);
    if (sequence !== this.#sequence) this.#beginCommand(sequence);
    this.setBalance(view, at, asset);
    const line = this.#line++;
    if (this.#isUntold(account, counterparty)) return;
    const business = BUSINESS_NUMBERS.get(posting.business.read(view, at)) ?? 0;
    const units = posting.deltaUnits.read(view, at);
    this.#days.add(account * ASSETS_MAX + asset, account, asset, business, units, sequence, timeMs);
    const isFunding = business === FUNDING;
    const bills = isFunding ? this.#fundingBills : (this.#bills[business] as unknown[]);
    bills.push(
      account,
      sequence,
      line,
      asset,
      units,
      availableUnits.read(view, at),
      frozenUnits.read(view, at),
      counterparty,
      posting.market.read(view, at),
      posting.reference.read(view, at),
      timeMs,
    );
    if (isFunding) bills.push(this.#dueMs);
    else this.#unnamed.push(business);
  }

  /**
   * Not stored: the legs of simulated traders, the exchange's legs against such a trader, and the rounding remainder of
   * contracts, which moves between two exchange accounts many times a second.
   */
  #isUntold(account: number, counterparty: number): boolean {
    const { simulated } = this.#facts;
    if (account >= FIRST_USER_ACCOUNT) return simulated.has(account);
    if (account === CLEARING_ACCOUNT) return counterparty === ROUNDING_ACCOUNT || simulated.has(counterparty);
    if (account === ROUNDING_ACCOUNT) return counterparty === CLEARING_ACCOUNT || simulated.has(counterparty);
    return simulated.has(counterparty);
  }

  /** The text reference of the bills before it. */
  nameBills(view: DataView, at: number): void {
    if (sequenceField.read(view, at) !== this.#sequence) return;
    const text = reference.reference.read(view, at);
    for (const business of this.#unnamed.reverse()) {
      const values = this.#bills[business] ?? [];
      this.#namedBills[business]?.push(...values.splice(values.length - BILL_COLUMNS.length), text);
    }
    this.#unnamed = [];
  }

  /** The account's balance in an event; the last one counts. */
  setBalance(view: DataView, at: number, asset: number): void {
    const account = balanceAccount.read(view, at);
    const balances = this.#balances;
    const key = account * ASSETS_MAX + asset;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = balances.length;
      this.#places.set(key, place);
      balances.push(account, asset, 0, 0, 0);
    }
    balances[place + 2] = availableUnits.read(view, at);
    balances[place + 3] = frozenUnits.read(view, at);
    balances[place + 4] = sequenceField.read(view, at);
  }

  async write(session: WriteSession): Promise<void> {
    for (const [business, values] of this.#bills.entries()) await session.write(BILLS[business] as RowShape, values);
    for (const [business, values] of this.#namedBills.entries()) {
      await session.write(NAMED_BILLS[business] as RowShape, values);
    }
    await session.write(FUNDING_BILLS, this.#fundingBills);
    await session.write(BALANCES, this.#balances);
    await this.#days.write(session);
  }

  #beginCommand(sequence: number): void {
    this.#sequence = sequence;
    this.#line = 0;
    this.#unnamed.length = 0;
  }
}
