// Owns what events mean for the projection's rows. Pure: rows that are already stored come in, changed rows go out.
// Must give the same rows however the events are cut into batches, as long as a command stays whole.
import type { EventOf, MachineEvent } from "@clockwork/core/event";
import { endState, FIRST_USER_ACCOUNT, isSimulatedUser } from "@clockwork/core/names";
import { exitsOf, makeOrderRow, type OrderEvent } from "./projection-order.ts";
import type {
  AccountRow,
  AssetRow,
  BalanceRow,
  BillRow,
  FeeRow,
  FillRow,
  MarketRow,
  OrderRow,
} from "./projection-rows.ts";

export interface ProjectionChanges {
  readonly accounts: readonly AccountRow[];
  readonly flags: readonly { readonly account: number; readonly flags: number }[];
  readonly assets: readonly AssetRow[];
  readonly markets: readonly MarketRow[];
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
  readonly bills: readonly BillRow[];
  readonly balances: readonly BalanceRow[];
  readonly fees: readonly FeeRow[];
}

/** What the projection keeps between runs of events. */
export interface ProjectionMemory {
  readonly markets: Map<number, MarketRow>;
  /** Accounts of simulated traders: of them only balances are kept. */
  readonly simulated: Set<number>;
}

/** Changes memory and map in place: `orders` is what ordersNeeded asked for. */
export function foldEvents(
  events: readonly MachineEvent[],
  memory: ProjectionMemory,
  orders: Map<number, OrderRow>,
): ProjectionChanges {
  const fold = new Fold(memory, orders);
  for (const event of events) fold.apply(event);
  return fold.changes();
}

class Fold {
  readonly #markets: Map<number, MarketRow>;
  readonly #simulated: Set<number>;
  readonly #orders: Map<number, OrderRow>;
  readonly #rates = new Map<string, FeeRow>();
  readonly #accounts = new Map<number, AccountRow>();
  readonly #flags = new Map<number, number>();
  readonly #assets: AssetRow[] = [];
  readonly #changedMarkets = new Set<number>();
  readonly #changedOrders = new Set<number>();
  readonly #fills: FillRow[] = [];
  readonly #fillsByTrade = new Map<string, FillRow[]>();
  readonly #fees: EventOf<"posting">[] = [];
  readonly #bills: BillRow[] = [];
  readonly #balances = new Map<string, BalanceRow>();
  #sequence = 0;
  #line = 0;
  #firstBill = 0;

  constructor({ markets, simulated }: ProjectionMemory, orders: Map<number, OrderRow>) {
    this.#markets = markets;
    this.#simulated = simulated;
    this.#orders = orders;
  }

  apply(event: MachineEvent): void {
    if (event.sequence !== this.#sequence) this.#beginCommand(event.sequence);
    this.#applyLedger(event);
    this.#applyOrder(event);
  }

  #applyLedger(event: MachineEvent): void {
    switch (event.kind) {
      case "accountCreated":
        this.#addAccount(event);
        break;
      case "accountFlags":
        this.#flags.set(event.account, event.flags);
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
      case "posting":
        this.#addBill(event);
        break;
      case "frozen":
        this.#setBalance(event, event.asset);
        break;
      case "reference":
        for (const bill of this.#bills.slice(this.#firstBill)) bill.reference ??= event.reference;
        this.#firstBill = this.#bills.length;
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

  changes(): ProjectionChanges {
    this.#assignFees();
    const pick = <K, V>(keys: Iterable<K>, map: Map<K, V>): V[] =>
      [...keys].map((key) => map.get(key)).filter((row) => row !== undefined);
    return {
      accounts: [...this.#accounts.values()],
      flags: [...this.#flags].map(([account, flags]) => ({ account, flags })),
      assets: this.#assets,
      markets: pick(this.#changedMarkets, this.#markets),
      orders: pick(this.#changedOrders, this.#orders),
      fills: this.#fills,
      bills: this.#bills,
      balances: [...this.#balances.values()],
      fees: [...this.#rates.values()],
    };
  }

  #beginCommand(sequence: number): void {
    this.#sequence = sequence;
    this.#line = 0;
    this.#firstBill = this.#bills.length;
  }

  #addAccount(event: EventOf<"accountCreated">): void {
    const { account, user, book, sub, group, time } = event;
    if (isSimulatedUser(user)) this.#simulated.add(account);
    this.#accounts.set(account, { account, user_id: user, book, sub, group_id: group, flags: 0, created_ms: time });
  }

  #addMarket(event: EventOf<"marketListed">): void {
    this.#markets.set(event.market, {
      market: event.market,
      kind: event.marketKind,
      base_asset: event.base,
      quote_asset: event.quote,
      step_units: BigInt(event.stepUnits),
      tick_lot_units: BigInt(event.tickLotUnits),
      status: event.status,
    });
    this.#changedMarkets.add(event.market);
  }

  #setMarketStatus(event: EventOf<"marketStatus">): void {
    const market = this.#markets.get(event.market);
    if (market === undefined) return;
    market.status = event.status;
    this.#changedMarkets.add(event.market);
  }

  /** Rates in 1e-8; account 0 stands for everybody in the group, −1 for the group's own rate. */
  #setRates(event: EventOf<"feesChanged">): void {
    const { account, feeGroup, makerRate, takerRate } = event;
    this.#rates.set(`${account}:${feeGroup}`, {
      account,
      fee_group: feeGroup,
      maker_rate: makerRate,
      taker_rate: takerRate,
    });
  }

  /** The legs of simulated traders, and the house's when such a trader is at the other end, are told by nobody. */
  #isUntold(account: number, counterparty: number): boolean {
    if (this.#simulated.has(account)) return true;
    return account < FIRST_USER_ACCOUNT && this.#simulated.has(counterparty);
  }

  #addBill(event: EventOf<"posting">): void {
    this.#setBalance(event, event.asset);
    const line = this.#line++;
    if (this.#isUntold(event.account, event.counterparty)) return;
    this.#bills.push({
      sequence: event.sequence,
      line,
      account: event.account,
      asset: event.asset,
      business: event.business,
      delta_units: BigInt(event.deltaUnits),
      available_units: BigInt(event.availableUnits),
      frozen_units: BigInt(event.frozenUnits),
      counterparty: event.counterparty,
      market: event.market,
      reference_number: event.reference,
      reference: null,
      time_ms: event.time,
    });
    if (event.business === "fee" && event.deltaUnits < 0) this.#fees.push(event);
  }

  #setBalance(
    event: { account: number; availableUnits: number; frozenUnits: number; sequence: number },
    asset: number,
  ): void {
    this.#balances.set(`${event.account}:${asset}`, {
      account: event.account,
      asset,
      available_units: BigInt(event.availableUnits),
      frozen_units: BigInt(event.frozenUnits),
      updated_sequence: event.sequence,
    });
  }

  /** Order events carry the balance of the asset their money is held in; without a change there is nothing to learn. */
  #setHeldBalance(event: EventOf<"orderAccepted" | "orderEnded" | "orderAmended">, changedUnits: number): void {
    const market = this.#markets.get(event.market);
    if (changedUnits === 0 || market === undefined) return;
    this.#setBalance(event, event.side === "buy" ? market.quote_asset : market.base_asset);
  }

  #newOrder(event: OrderEvent, orderId: number, kind: OrderRow["kind"], quantity: number, state: string): OrderRow {
    const row = makeOrderRow(event, orderId, kind, quantity, state);
    if (this.#simulated.has(event.account)) return row;
    this.#orders.set(orderId, row);
    this.#changedOrders.add(orderId);
    return row;
  }

  /** A plan that fired goes on under its own id and still says how it was placed. */
  #addOrder(event: EventOf<"orderAccepted">): void {
    this.#setHeldBalance(event, event.heldUnits);
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
    Object.assign(row, members, { updated_sequence: event.sequence, updated_ms: event.time });
    this.#changedOrders.add(orderId);
  }

  #endOrder(event: EventOf<"orderEnded">): void {
    this.#change(event.orderId, event, { state: endState(event.reason), end_reason: event.reason });
    this.#setHeldBalance(event, event.releasedUnits);
  }

  #amendOrder(event: EventOf<"orderAmended">): void {
    const row = this.#orders.get(event.orderId);
    const quantity = BigInt(event.lots) + (row?.filled_lots ?? 0n);
    this.#change(event.orderId, event, { price_ticks: event.price, quantity });
    this.#setHeldBalance(event, event.heldUnits);
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
    const makerSide = event.takerSide === "buy" ? "sell" : "buy";
    const shared = {
      market: event.market,
      trade_number: event.tradeNumber,
      price_ticks: event.price,
      lots,
      notional_units: notional,
      fee_asset: null,
      fee_units: 0n,
      sequence: event.sequence,
      time_ms: event.time,
    };
    const { takerOrderId, makerOrderId, account, makerAccount, takerSide } = event;
    const rows: FillRow[] = [];
    if (!this.#simulated.has(account)) {
      rows.push({ ...shared, role: "taker", account, order_id: takerOrderId, side: takerSide });
    }
    if (!this.#simulated.has(makerAccount)) {
      rows.push({ ...shared, role: "maker", account: makerAccount, order_id: makerOrderId, side: makerSide });
    }
    this.#fills.push(...rows);
    this.#fillsByTrade.set(`${event.market}:${event.tradeNumber}`, rows);
    this.#fillOrder(takerOrderId, event, lots, notional, event.takerDone);
    this.#fillOrder(makerOrderId, event, lots, notional, event.makerDone);
  }

  #fillOrder(orderId: number, event: EventOf<"trade">, lots: bigint, notional: bigint, isDone: boolean): void {
    const row = this.#orders.get(orderId);
    if (row === undefined) return;
    // An amount in quote always tells its end; the state until then is the one it most often ends in.
    const isFilled = isDone || row.in_quote;
    this.#change(orderId, event, {
      filled_lots: row.filled_lots + lots,
      filled_units: row.filled_units + notional,
      state: isFilled ? "FILLED" : "PARTIALLY_FILLED",
    });
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

  /** A fee belongs to the payer's side of its trade; who trades with himself is told apart by the asset he received. */
  #assignFees(): void {
    for (const fee of this.#fees) {
      const rows = this.#fillsByTrade.get(`${fee.market}:${fee.reference}`) ?? [];
      const own = rows.filter((row) => row.account === fee.account);
      const base = this.#markets.get(fee.market)?.base_asset;
      const side = fee.asset === base ? "buy" : "sell";
      const row = own.length > 1 ? (own.find((each) => each.side === side) ?? own[0]) : own[0];
      if (row === undefined) continue;
      row.fee_asset = fee.asset;
      row.fee_units -= BigInt(fee.deltaUnits);
    }
  }
}
