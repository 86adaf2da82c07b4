// Owns what events mean for the projection's rows. Pure: rows that are already stored come in, changed rows go out.
// Must give the same rows however the events are cut into batches, as long as a command stays whole.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { endState, isSimulatedUser } from "@clockwork/core/protocol/names";
import { type MoneyChanges, MoneyFold } from "./money.ts";
import { exitsOf, makeOrderRow, type OrderEvent } from "./order.ts";
import type { AccountRow, AssetRow, FeeRow, MarketRow, OrderRow } from "./rows.ts";

export interface FoldedRows {
  readonly accounts: readonly AccountRow[];
  readonly flags: readonly { readonly account: number; readonly flags: number }[];
  readonly assets: readonly AssetRow[];
  readonly markets: readonly MarketRow[];
  /** Orders that began here. */
  readonly created: readonly OrderRow[];
  /** Orders that were there before. */
  readonly changed: readonly OrderRow[];
  readonly fees: readonly FeeRow[];
}

/** What an account cache follows. */
export interface AccountChanges extends MoneyChanges {
  readonly orders: readonly OrderRow[];
  readonly fees: readonly FeeRow[];
}

/** What the projection keeps between runs of events. */
export interface ProjectionMemory {
  readonly markets: Map<number, MarketRow>;
  /** Accounts of simulated traders: of them only balances are kept. */
  readonly simulated: Set<number>;
}

/**
 * For the tables, whose bills, fills and balances come from the entries. Changes memory and map in place: `orders` is what
 * ordersNeeded asked for.
 */
export function foldRows(
  events: readonly MachineEvent[],
  memory: ProjectionMemory,
  orders: Map<number, OrderRow>,
): FoldedRows {
  const fold = new Fold(memory, orders, events[0]?.sequence ?? 0);
  for (const event of events) fold.apply(event);
  return fold.rows();
}

/** For an account cache: the same orders, and fills and balances beside them. */
export function foldEvents(
  events: readonly MachineEvent[],
  memory: ProjectionMemory,
  orders: Map<number, OrderRow>,
): AccountChanges {
  const fold = new Fold(memory, orders, events[0]?.sequence ?? 0);
  const money = new MoneyFold(memory);
  for (const event of events) {
    fold.apply(event);
    money.apply(event);
  }
  return { ...fold.changes(), ...money.changes() };
}

class Fold {
  readonly #markets: Map<number, MarketRow>;
  readonly #simulated: Set<number>;
  readonly #orders: Map<number, OrderRow>;
  readonly #firstSequence: number;
  // Most runs are short and list nothing: what is rare is made when it comes.
  #rates: Map<string, FeeRow> | undefined;
  #accounts: Map<number, AccountRow> | undefined;
  #flags: Map<number, number> | undefined;
  #changedMarkets: Set<number> | undefined;
  readonly #assets: AssetRow[] = [];
  /** Those that began here too, each once, in the order of their first change. */
  readonly #changed: OrderRow[] = [];

  constructor({ markets, simulated }: ProjectionMemory, orders: Map<number, OrderRow>, firstSequence: number) {
    this.#markets = markets;
    this.#simulated = simulated;
    this.#orders = orders;
    this.#firstSequence = firstSequence;
  }

  apply(event: MachineEvent): void {
    this.#applyListing(event);
    this.#applyOrder(event);
  }

  #applyListing(event: MachineEvent): void {
    switch (event.kind) {
      case "accountCreated":
        this.#addAccount(event);
        break;
      case "accountFlags":
        this.#flags = (this.#flags ?? new Map()).set(event.account, event.flags);
        break;
      case "assetListed":
        this.#assets.push({ asset: event.asset, symbol: event.symbol, scale: event.scale });
        break;
      case "marketListed":
        this.#addMarket(event);
        break;
      case "marketStatus":
        this.#setMarketStatus(event);
        break;
      case "feesChanged":
        this.#setRates(event);
        break;
      default:
        break;
    }
  }

  #applyOrder(event: MachineEvent): void {
    switch (event.kind) {
      case "orderAccepted":
        this.#addOrder(event);
        break;
      case "conditionalAccepted":
        this.#addConditional(event);
        break;
      case "twapStarted":
        this.#newOrder(event, event.twap, "twap", event.lots, "NEW").type = "twap";
        break;
      case "orderEnded":
        this.#endOrder(event);
        break;
      case "orderAmended":
        this.#amendOrder(event);
        break;
      case "trade":
        this.#addTrade(event);
        break;
      case "selfTradePrevented":
        this.#decrement(event);
        break;
      case "clientOrderId":
        this.#change(event.orderId, event, { client_order_id: event.clientOrderId });
        break;
      case "rejected":
        this.#rejectTriggered(event);
        break;
      case "conditionalTriggered":
        this.#change(event.orderId, event, { state: "TRIGGERED" });
        break;
      case "listLeg":
        this.#change(event.orderId, event, { list_id: event.list, list_leg: event.leg, ...exitsOf(event) });
        break;
      case "twapSlice":
        this.#fillTwap(event);
        break;
      case "twapEnded":
        this.#endTwap(event);
        break;
      default:
        // The rest says nothing that a table keeps: depth, clocks, refusals, switches, prices.
        break;
    }
  }

  changes(): Omit<AccountChanges, keyof MoneyChanges> {
    return { orders: this.#changed, fees: listValues(this.#rates) };
  }

  rows(): FoldedRows {
    const created: OrderRow[] = [];
    const changed: OrderRow[] = [];
    for (const row of this.#changed) (row.created_sequence < this.#firstSequence ? changed : created).push(row);
    return {
      accounts: listValues(this.#accounts),
      flags: [...(this.#flags ?? [])].map(([account, flags]) => ({ account, flags })),
      assets: this.#assets,
      markets: [...(this.#changedMarkets ?? [])].flatMap((market) => this.#markets.get(market) ?? []),
      created,
      changed,
      fees: listValues(this.#rates),
    };
  }

  #addAccount(event: EventOf<"accountCreated">): void {
    const { account, user, book, sub, group, time } = event;
    if (isSimulatedUser(user)) this.#simulated.add(account);
    const row = { account, user_id: user, book, sub, group_id: group, flags: 0, created_ms: time };
    this.#accounts = (this.#accounts ?? new Map()).set(account, row);
  }

  #addMarket(event: EventOf<"marketListed">): void {
    this.#markets.set(event.market, makeMarketRow(event));
    this.#changedMarkets = (this.#changedMarkets ?? new Set()).add(event.market);
  }

  #setMarketStatus(event: EventOf<"marketStatus">): void {
    const market = this.#markets.get(event.market);
    if (market === undefined) return;
    market.status = event.status;
    this.#changedMarkets = (this.#changedMarkets ?? new Set()).add(event.market);
  }

  /** Rates in 1e-8; account 0 stands for everybody in the group, −1 for the group's own rate. */
  #setRates(event: EventOf<"feesChanged">): void {
    const { account, feeGroup, makerRate, takerRate } = event;
    const row = { account, fee_group: feeGroup, maker_rate: makerRate, taker_rate: takerRate };
    this.#rates = (this.#rates ?? new Map()).set(`${account}:${feeGroup}`, row);
  }

  #newOrder(event: OrderEvent, orderId: number, kind: OrderRow["kind"], quantity: number, state: string): OrderRow {
    const row = makeOrderRow(event, orderId, kind, quantity, state);
    if (this.#simulated.has(event.account)) return row;
    this.#orders.set(orderId, row);
    this.#changed.push(row);
    return row;
  }

  /** A plan that fired goes on under its own id and still says how it was placed. */
  #addOrder(event: EventOf<"orderAccepted">): void {
    const plan = this.#orders.get(event.orderId);
    if (plan === undefined) this.#newOrder(event, event.orderId, "order", event.quantity, "NEW");
    else {
      const quantity = BigInt(event.quantity);
      this.#change(event.orderId, event, { kind: "order", state: "NEW", price_ticks: event.price, quantity });
    }
  }

  /** A plan that was due and could not become an order. */
  #rejectTriggered(event: EventOf<"rejected">): void {
    if (event.orderId === 0 || this.#orders.get(event.orderId)?.state !== "TRIGGERED") return;
    this.#change(event.orderId, event, { state: "REJECTED", end_reason: event.code });
  }

  #addConditional(event: EventOf<"conditionalAccepted">): void {
    const row = this.#newOrder(event, event.orderId, "conditional", event.quantity, "PENDING_TRIGGER");
    row.type = event.conditionalType;
    row.trigger_ticks = event.trigger;
    row.trigger_source = event.source;
    row.trigger_direction = event.direction;
    row.callback_bps = event.callbackBps;
  }

  #change(orderId: number, event: { sequence: number; time: number }, members: Partial<OrderRow>): void {
    const row = this.#orders.get(orderId);
    if (row === undefined) return;
    Object.assign(row, members);
    this.#touch(row, event);
  }

  #touch(row: OrderRow, event: { sequence: number; time: number }): void {
    // Every change says when it was: a row of before is one that has not been changed here yet.
    if (row.updated_sequence < this.#firstSequence) this.#changed.push(row);
    row.updated_sequence = event.sequence;
    row.updated_ms = event.time;
  }

  #endOrder(event: EventOf<"orderEnded">): void {
    const row = this.#orders.get(event.orderId);
    if (row === undefined) return;
    row.state = endState(event.reason);
    row.end_reason = event.reason;
    this.#touch(row, event);
  }

  #amendOrder(event: EventOf<"orderAmended">): void {
    const row = this.#orders.get(event.orderId);
    const quantity = BigInt(event.lots) + (row?.filled_lots ?? 0n);
    this.#change(event.orderId, event, { price_ticks: event.price, quantity });
  }

  #fillTwap(event: EventOf<"twapSlice">): void {
    const row = this.#orders.get(event.twap);
    if (row === undefined) return;
    const filled = row.filled_lots + BigInt(event.filledLots);
    this.#change(event.twap, event, { filled_lots: filled, state: filled > 0n ? "PARTIALLY_FILLED" : row.state });
  }

  #endTwap(event: EventOf<"twapEnded">): void {
    const state = event.leftLots === 0 ? "FILLED" : endState(event.reason);
    this.#change(event.twap, event, { state, end_reason: event.reason });
  }

  #addTrade(event: EventOf<"trade">): void {
    const unit = this.#markets.get(event.market)?.tick_lot_units ?? 0n;
    const lots = BigInt(event.lots);
    const notional = BigInt(event.price) * lots * unit;
    const { takerOrderId, makerOrderId } = event;
    this.#fillOrder(takerOrderId, event, lots, notional, event.takerDone);
    this.#fillOrder(makerOrderId, event, lots, notional, event.makerDone);
  }

  #fillOrder(orderId: number, event: EventOf<"trade">, lots: bigint, notional: bigint, isDone: boolean): void {
    const row = this.#orders.get(orderId);
    if (row === undefined) return;
    // An amount in quote always tells its end; the state until then is the one it most often ends in.
    const isFilled = isDone || row.in_quote;
    row.filled_lots += lots;
    row.filled_units += notional;
    row.state = isFilled ? "FILLED" : "PARTIALLY_FILLED";
    this.#touch(row, event);
  }

  /** In this mode both orders shrink by the overlap without a trade. */
  #decrement(event: EventOf<"selfTradePrevented">): void {
    if (event.mode !== "DECREMENT") return;
    for (const orderId of [event.takerOrderId, event.makerOrderId]) {
      const row = this.#orders.get(orderId);
      if (row === undefined || row.in_quote) continue;
      this.#change(orderId, event, { quantity: row.quantity - BigInt(event.lots) });
    }
  }
}

function listValues<Value>(map: ReadonlyMap<unknown, Value> | undefined): Value[] {
  return map === undefined ? [] : [...map.values()];
}

export function makeMarketRow(event: EventOf<"marketListed">): MarketRow {
  return {
    market: event.market,
    kind: event.marketKind,
    base_asset: event.base,
    quote_asset: event.quote,
    step_units: BigInt(event.stepUnits),
    tick_lot_units: BigInt(event.tickLotUnits),
    status: event.status,
  };
}
