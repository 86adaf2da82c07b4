// A user's own stream of contracts in the Binance dialect: every change of an order, balances and positions after it,
// settings as they change. Made from the private channels, so nothing is published before it is committed.

import type { Live } from "@clockwork/host/channel";
import type { Log } from "@clockwork/host/log";
import type { FuturesFill, FuturesOrder } from "@clockwork/trading/futures/contract";
import { FUTURES_FILLS_CHANNEL, FUTURES_ORDERS_CHANNEL } from "@clockwork/trading/futures/contract";
import type { ContractSettings, FuturesAccount, FuturesPosition } from "@clockwork/trading/positions/contract";
import { POSITIONS_CHANNEL, SETTINGS_CHANNEL } from "@clockwork/trading/positions/contract";
import { type BookBalance, WALLET_BIZ, WALLET_CHANNEL } from "@clockwork/trading/wallet/contract";
import { type Contracts, writeQuantity } from "../contract/contracts.ts";
import { describeAlgo, isPublished, OPEN_STATES, PLANS } from "../contract/order-view.ts";
import { eventTime } from "../event-time.ts";
import { fixed, sum } from "../numbers.ts";
import { describeUpdate, type Held, signedQuantity } from "./account-update.ts";
import { receivedOrders, without } from "./first-batch.ts";
import { describeOrderChanges, type Published, publishedOf } from "./order-update.ts";

export interface ContractUserParts {
  readonly contracts: Contracts;
  readonly live: Pick<Live, "tap">;
  readonly clock: () => number;
  readonly log: Log;
  /** What is open and held now, read once. */
  readonly read: (userId: number) => Promise<{
    readonly orders: readonly FuturesOrder[];
    readonly positions: readonly FuturesPosition[];
    readonly accounts: readonly FuturesAccount[];
    readonly settings: readonly ContractSettings[];
  }>;
}

interface Batch {
  readonly orders: FuturesOrder[];
  readonly fills: FuturesFill[];
  readonly positions: FuturesPosition[];
  readonly balances: BookBalance[];
  readonly settings: ContractSettings[];
}

const nothing = (): Batch => ({ orders: [], fills: [], positions: [], balances: [], settings: [] });

type Leverages = Pick<ContractSettings, "leverageLong" | "leverageShort">;

interface Known {
  readonly orders: Map<string, Published>;
  readonly positions: Map<string, FuturesPosition>;
  /** Balances by coin. */
  readonly held: Held;
  readonly leverages: Map<string, Leverages>;
}

/** Publishes until stopped. */
export async function followContractUser(
  parts: ContractUserParts,
  userId: number,
  publish: (event: object) => void,
): Promise<() => void> {
  const { contracts, clock, log } = parts;
  const known: Known = { orders: new Map(), positions: new Map(), held: new Map(), leverages: new Map() };
  let batch = nothing();
  const sinceMs = clock();
  let isDue = false;
  let isReady = false;
  let isFirst = true;
  let isStopped = false;
  const flush = (): void => {
    isDue = false;
    if (!isReady) return;
    const now = batch;
    batch = nothing();
    if (isStopped) return;
    if (isFirst) dropReceived(known, now, sinceMs);
    isFirst = false;
    try {
      for (const event of describeBatch(contracts, now, known, clock())) publish(event);
    } catch (error) {
      log.warn("dialect.user.failed", { error });
    }
  };
  // The changes of one commit arrive on several channels in one turn.
  const touch = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(flush);
  };
  const stops = tapAll(parts, userId, () => batch, touch);
  const stop = (): void => {
    isStopped = true;
    for (const one of stops) one?.();
  };
  try {
    const { orders, positions, accounts, settings } = await parts.read(userId);
    for (const order of orders) known.orders.set(order.orderId, publishedOf(order));
    for (const position of positions) known.positions.set(position.positionId, position);
    for (const { asset, balance } of accounts) known.held.set(asset, balance);
    for (const one of settings) known.leverages.set(one.pairCode, one);
  } catch (error) {
    stop();
    throw error;
  }
  isReady = true;
  touch();
  return stop;
}

/** What was read may hold what the first batch is about to say. */
function dropReceived(known: Known, { orders, fills, positions }: Batch, sinceMs: number): void {
  for (const { order, isNew } of receivedOrders(orders, sinceMs)) {
    if (isNew) {
      known.orders.delete(order.orderId);
      continue;
    }
    const own = fills.filter(({ orderId }) => orderId === order.orderId).map(({ quantity }) => quantity);
    const filled = without(order.filledQuantity, own);
    known.orders.set(order.orderId, { ...(known.orders.get(order.orderId) ?? publishedOf(order)), filled });
  }
  // Of no size yet, so that any position read is sent.
  for (const one of positions) known.positions.set(one.positionId, { ...one, quantity: "" });
}

function tapAll({ contracts, live }: ContractUserParts, userId: number, batch: () => Batch, touch: () => void) {
  const { biz } = contracts.kind;
  const account = String(userId);
  const tap = <Row>(channel: string, of: string, rows: () => Row[], fits: (row: Row) => boolean = () => true) =>
    live.tap(
      { channel, biz: of },
      (data) => {
        const mine = (data as Row[]).filter(fits);
        rows().push(...mine);
        // Positions are published whole on any change; only then may the position be empty.
        if (mine.length > 0 || channel === POSITIONS_CHANNEL) touch();
      },
      account,
    );
  const walletType = biz === "futures" ? "3" : "4";
  return [
    tap<FuturesOrder>(FUTURES_ORDERS_CHANNEL, biz, () => batch().orders, isPublished),
    tap<FuturesFill>(FUTURES_FILLS_CHANNEL, biz, () => batch().fills),
    tap<FuturesPosition>(POSITIONS_CHANNEL, biz, () => batch().positions),
    tap<ContractSettings>(SETTINGS_CHANNEL, biz, () => batch().settings),
    tap<BookBalance>(
      WALLET_CHANNEL,
      WALLET_BIZ,
      () => batch().balances,
      (row) => row.walletType === walletType,
    ),
  ];
}

function* describeBatch(contracts: Contracts, batch: Batch, known: Known, timeMs: number): Generator<object> {
  const update = describeUpdate(contracts, batch, known, timeMs);
  if (update !== undefined) yield update;
  const latest = new Map(batch.orders.map((order) => [order.orderId, order]));
  for (const order of latest.values()) {
    const contract = contracts.find(order.pairCode);
    if (contract === undefined) continue;
    const fills = batch.fills.filter(({ orderId }) => orderId === order.orderId);
    const before = known.orders.get(order.orderId);
    yield* describeOrderChanges(contracts, contract, order, fills, before, timeMs);
    // Newer clients of linear contracts have their own event for conditional orders.
    if (contracts.kind.biz === "futures" && PLANS.has(order.type)) {
      yield describeAlgoUpdate(describeAlgo(contracts, contract, order), timeMs);
    }
    if (OPEN_STATES.has(order.status)) known.orders.set(order.orderId, publishedOf(order));
    else known.orders.delete(order.orderId);
  }
  for (const { pairCode, leverageLong, leverageShort } of batch.settings) {
    const before = known.leverages.get(pairCode);
    known.leverages.set(pairCode, { leverageLong, leverageShort });
    const isSame = before?.leverageLong === leverageLong;
    // Other settings change too, which are not published here.
    if (isSame && before.leverageShort === leverageShort) continue;
    const s = contracts.kind.symbolOf({ pairCode });
    yield { e: "ACCOUNT_CONFIG_UPDATE", E: timeMs, T: timeMs, ac: { s, l: isSame ? leverageShort : leverageLong } };
  }
}

function describeAlgoUpdate(view: ReturnType<typeof describeAlgo>, timeMs: number): object {
  return {
    e: "ALGO_UPDATE",
    E: eventTime(timeMs, view.updateTime),
    T: view.updateTime,
    o: {
      caid: view.clientAlgoId,
      aid: view.algoId,
      at: view.algoType,
      o: view.orderType,
      s: view.symbol,
      S: view.side,
      ps: view.positionSide,
      f: view.timeInForce,
      q: view.quantity,
      X: view.algoStatus,
      ai: view.actualOrderId,
      ap: view.actualPrice,
      aq: view.executedQty,
      tp: view.triggerPrice,
      p: view.price,
      V: view.selfTradePreventionMode,
      wt: view.workingType,
      pm: "NONE",
      cp: view.closePosition,
      pP: view.priceProtect,
      R: view.reduceOnly,
      tt: view.triggerTime,
      gtd: view.goodTillDate,
    },
  };
}

/** A warning of the core that little is left of what carries these positions. */
export function describeMarginCall(
  contracts: Contracts,
  positions: readonly FuturesPosition[],
  account: FuturesAccount | undefined,
  timeMs: number,
): object {
  const isolated = positions.some(({ mode }) => mode === "isolated");
  return {
    e: "MARGIN_CALL",
    E: timeMs,
    ...(isolated || account === undefined ? {} : { cw: fixed(account.balance) }),
    p: positions.flatMap((one) => {
      const contract = contracts.find(one.pairCode);
      if (contract === undefined) return [];
      return [
        {
          s: contracts.kind.symbolOf(one),
          ps: one.positionSide.toUpperCase(),
          pa: signedQuantity(one, writeQuantity(contract, one.quantity)),
          mt: one.mode === "isolated" ? "ISOLATED" : "CROSSED",
          iw: one.mode === "isolated" ? sum(one.margin, "0") : "0",
          mp: one.markPrice,
          up: one.unrealizedPnl,
          mm: one.maintenanceMargin,
        },
      ];
    }),
  };
}
