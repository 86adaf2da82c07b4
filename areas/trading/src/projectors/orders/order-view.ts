// Owns an account's current state of trading: open orders and plans, and its newest fills, oldest first.
import { readEvent } from "@clockwork/core/protocol/codec";
import type { LedgerFacts, LiveRun, LiveView } from "@clockwork/host/projector";
import type { FillRow, OrderRow } from "../rows/rows.ts";
import { FILL_KINDS, Fills } from "./fills.ts";
import { OrderFold } from "./order-fold.ts";
import { IS_FILL, IS_ORDER, isOrderless, OPEN_STATES, ORDER_KINDS } from "./order-projector.ts";

export interface OrderState {
  readonly orders: Map<number, OrderRow>;
  fills: readonly FillRow[];
}

export interface OrderChange {
  readonly count: number;
  /** Ended ones too, once. */
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
}

/** Newest fills an account is shown without asking for more. */
const FILLS_SHOWN = 50;
const OPEN: ReadonlySet<string> = new Set(OPEN_STATES);
// Written out: a database uses the index of open orders only where the condition shows that all are open.
const OPEN_TEXT = OPEN_STATES.map((state) => `'${state}'`).join(", ");

export const orderView: LiveView<OrderState, OrderChange> = {
  name: "orders",
  kinds: [...new Set([...ORDER_KINDS, ...FILL_KINDS])],
  empty: () => ({ orders: new Map(), fills: [] }),
  async load(read, account) {
    const [orders, fills] = await Promise.all([
      read<OrderRow>(`select * from engine_orders where account = ? and state in (${OPEN_TEXT})`, [account]),
      read<FillRow>("select * from engine_fills where account = ? order by sequence desc, trade_number desc limit ?", [
        account,
        FILLS_SHOWN,
      ]),
    ]);
    return { orders: new Map(orders.map((row) => [row.order_id, row])), fills: fills.reverse() };
  },
  begin: (facts, stateOf, firstSequence) => new OrderFollow(facts, stateOf, firstSequence),
};

class OrderFollow implements LiveRun<OrderChange> {
  readonly #stateOf: (account: number) => OrderState | undefined;
  readonly #fold: OrderFold;
  readonly #facts: LedgerFacts;
  /** Made when the first of them comes: most runs have none. */
  #fills: Fills | undefined;

  constructor(facts: LedgerFacts, stateOf: (account: number) => OrderState | undefined, firstSequence: number) {
    this.#stateOf = stateOf;
    const rows = {
      find: (account: number, orderId: number) => stateOf(account)?.orders.get(orderId),
      add: (row: OrderRow) => stateOf(row.account)?.orders.set(row.order_id, row) !== undefined,
    };
    this.#fold = new OrderFold(facts, rows, firstSequence);
    this.#facts = facts;
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (IS_FILL[kind] === 1) {
      this.#fills ??= new Fills(this.#facts, (account) => this.#stateOf(account) !== undefined);
      this.#fills.add(kind, view, at, timeMs);
    }
    if (IS_ORDER[kind] === 1 && !isOrderless(kind, view, at)) this.#fold.apply(readEvent(view, at, timeMs));
  }

  end(): ReadonlyMap<number, OrderChange> {
    const found = new Map<number, { count: number; orders: OrderRow[]; fills: FillRow[] }>();
    const changeOf = (account: number) => {
      let change = found.get(account);
      if (change === undefined) {
        change = { count: 0, orders: [], fills: [] };
        found.set(account, change);
      }
      change.count += 1;
      return change;
    };
    for (const row of this.#fold.changed) {
      changeOf(row.account).orders.push(row);
      if (!OPEN.has(row.state)) this.#stateOf(row.account)?.orders.delete(row.order_id);
    }
    for (const row of this.#fills?.rows() ?? []) changeOf(row.account).fills.push(row);
    for (const [account, { fills }] of found) {
      const state = this.#stateOf(account);
      if (state !== undefined && fills.length > 0) state.fills = [...state.fills, ...fills].slice(-FILLS_SHOWN);
    }
    return found;
  }
}
