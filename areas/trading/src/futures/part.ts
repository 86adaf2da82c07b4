// Connects futures trading and positions with the core, the account cache, the database and the sockets. Contains no
// rules.
import type { Channel } from "@clockwork/host/channel";
import type { AccountChange, CachedAccount } from "@clockwork/host/engine";
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import type { Book } from "../ledger/account-resolver.ts";
import type { TradingPorts } from "../ports.ts";
import type { FuturesBiz, FuturesView } from "../positions/account-view.ts";
import { futuresBooks } from "../positions/books.ts";
import { CloseService } from "../positions/close-service.ts";
import { ACCOUNT_CHANNEL, POSITIONS_CHANNEL, SETTINGS_CHANNEL } from "../positions/contract.ts";
import { positionNeeds } from "../positions/needs.ts";
import { positionRoutes } from "../positions/routes.ts";
import { bookOf, describeEnded, describePositions, describeSettings } from "../positions/rules.ts";
import { PositionService } from "../positions/service.ts";
import { positionStore } from "../positions/store.ts";
import { type FuturesLook, futuresLook } from "../positions/views.ts";
import { futuresView } from "../projectors/futures/futures-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import { guardAccounts } from "./account-guard.ts";
import { FuturesAccountService } from "./account-service.ts";
import { FuturesChangeService } from "./change-service.ts";
import { FUTURES_FILLS_CHANNEL, FUTURES_ORDERS_CHANNEL } from "./contract.ts";
import { MarkChannels } from "./mark-channels.ts";
import { marketFigureRoutes } from "./market-figures.ts";
import { futuresNeeds, isHedge } from "./needs.ts";
import { goldRoutes, reportRoutes } from "./reports.ts";
import { futuresRoutes } from "./routes.ts";
import { describeFill, describeOrder } from "./rules.ts";
import { FuturesService } from "./service.ts";
import { sidesHistory } from "./sides-history.ts";
import { futuresStore } from "./store.ts";

const BOOKS: Readonly<Record<FuturesBiz, Book>> = { futures: "linear", delivery: "inverse", demo: "demo" };
const BIZS = Object.keys(BOOKS) as FuturesBiz[];

export function futuresPart(context: PartContext, ports: TradingPorts): Part {
  const { kysely } = context.database;
  const books = futuresBooks(context);
  const look = futuresLook(context);
  const needs = positionNeeds(context, books, look);
  const positions = new PositionService({ needs, store: positionStore(kysely) });
  const closing = new CloseService({ needs, positions });
  const trading = { needs: futuresNeeds(context, ports, books, look), store: futuresStore(kysely) };
  const marks = new MarkChannels({
    ...context,
    readViews: (userId, biz) => needs.listViews(userId, { biz }),
    describe: (channel, biz, views) =>
      views.flatMap((view): readonly unknown[] =>
        channel === ACCOUNT_CHANNEL ? positions.describeAccounts(view, biz) : describePositions(look.contracts, view),
      ),
    // A coin's worth depends on more than the account and its marks.
    stampOf: (biz, views) => (biz === "delivery" ? undefined : views.map((view) => stampOf(look, view)).join(";")),
  });
  context.jobs.add(sidesHistory(context.database.kysely).job);
  return {
    routes: [
      ...guardAccounts(
        [
          ...futuresRoutes({
            futures: new FuturesService(trading),
            changes: new FuturesChangeService(trading),
            accounts: new FuturesAccountService(trading),
          }),
          ...positionRoutes({ positions, closing }),
        ],
        books,
      ),
      ...reportRoutes(context, books),
      ...goldRoutes(context),
      ...marketFigureRoutes(context),
    ],
    channels: [...BIZS.flatMap((biz) => commitChannels(context, look, biz)), ...marks.channels],
    close: () => marks.close(),
  };
}

/** An account as last committed, and the marks and ranks of its positions and orders. */
function stampOf({ contracts }: FuturesLook, view: FuturesView): string {
  const markets = new Set<number>();
  const indicators: number[] = [];
  for (const { market, lots, position_id } of view.positions.values()) {
    if (lots === 0n) continue;
    markets.add(market);
    indicators.push(contracts.indicatorOf(market, position_id));
  }
  for (const { market } of view.orders.values()) markets.add(market);
  const marks = [...markets].map((market) => contracts.markTicks(market));
  return [view.account, view.changedSequence, view.takerRate, ...marks, ...indicators].join();
}

/** Orders, fills and positions as commits change them, numbered by the journal. */
function commitChannels({ ledger, engine }: PartContext, look: FuturesLook, biz: FuturesBiz): Channel[] {
  const books = { biz, books: [BOOKS[biz]] };
  const stopOf = (account: number, orderId: number) => engine.cache?.find(account)?.of(futuresView).stops.get(orderId);
  const { live } = ledger;
  return [
    live.channel({
      ...books,
      channel: FUTURES_ORDERS_CHANNEL,
      concerns: (change) => (change.of(orderView)?.orders.length ?? 0) > 0,
      describeChange: (change) =>
        (change.of(orderView)?.orders ?? []).flatMap(
          (row) =>
            describeOrder(
              look.contracts,
              row,
              change.owner,
              stopOf(change.account, row.order_id),
              isHedge(engine.cache?.find(change.account)),
            ) ?? [],
        ),
      describeView: (view) =>
        [...view.of(orderView).orders.values()].flatMap(
          (row) =>
            describeOrder(
              look.contracts,
              row,
              view.owner,
              view.of(futuresView).stops.get(row.order_id),
              isHedge(view),
            ) ?? [],
        ),
    }),
    live.channel({
      ...books,
      channel: FUTURES_FILLS_CHANNEL,
      concerns: (change) => (change.of(orderView)?.fills.length ?? 0) > 0,
      describeChange: (change) =>
        (change.of(orderView)?.fills ?? []).flatMap((row) => describeFill(look.contracts, row, change.owner) ?? []),
      describeView: (view) =>
        view.of(orderView).fills.flatMap((row) => describeFill(look.contracts, row, view.owner) ?? []),
    }),
    live.channel({
      ...books,
      channel: POSITIONS_CHANNEL,
      concerns: (change) => change.of(futuresView) !== undefined,
      describeChange: (change) => positionsOf(look, engine.cache?.find(change.account), change),
      describeView: (view) => describePositions(look.contracts, look.viewOf(view)),
    }),
    live.channel({
      ...books,
      channel: SETTINGS_CHANNEL,
      concerns: (change) => (change.of(futuresView)?.settings.length ?? 0) > 0,
      describeChange: (change) =>
        settingsOf(look, biz, engine.cache?.find(change.account), change.of(futuresView)?.settings ?? []),
      describeView: (view) => settingsOf(look, biz, view, [...view.of(futuresView).settings.values()]),
    }),
  ];
}

/** The settings of contracts; a row of the whole account applies to every contract it can hold. */
function settingsOf(
  { contracts, viewOf }: FuturesLook,
  biz: FuturesBiz,
  cached: CachedAccount | undefined,
  rows: readonly { readonly market: number }[],
): readonly unknown[] {
  if (cached === undefined) return [];
  const view = viewOf(cached);
  const { sub } = view.owner;
  const isWhole = rows.some(({ market }) => market === 0);
  // An inverse account is of one coin, which its sub names.
  const pairs = isWhole
    ? contracts.list(biz).filter(({ settle }) => sub === 0 || settle.asset === sub)
    : rows.flatMap(({ market }) => contracts.findMarket(market) ?? []);
  return pairs.map((pair) => describeSettings(contracts, pair, view, bookOf(contracts, view)));
}

/** All open ones, as a setting changes each of them; those that have just ended once. */
function positionsOf(look: FuturesLook, cached: CachedAccount | undefined, change: AccountChange): readonly unknown[] {
  if (cached === undefined) return [];
  const view = look.viewOf(cached);
  const ended = (change.of(futuresView)?.positions ?? []).filter((row) => row.closed_sequence !== null);
  return [
    ...ended.flatMap((row) => describeEnded(look.contracts, view, row) ?? []),
    ...describePositions(look.contracts, view),
  ];
}
