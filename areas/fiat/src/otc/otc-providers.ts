// Connects outside providers of money with the ledger and prices, and collects the bills of OTC. Contains no rules.

import { decimalText } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import { FIAT_SCALE } from "@clockwork/kit/otc/fiat";
import type { AdBook } from "../otcads/book-store.ts";
import { USDT_SCALE } from "../otcpeople/rules.ts";
import type { Bill, BillsQuery } from "../otcproviders/contract.ts";
import { otcProviderRoutes } from "../otcproviders/routes.ts";
import { billsUpTo } from "../otcproviders/rules.ts";
import { ProviderService } from "../otcproviders/service.ts";
import { providerStore } from "../otcproviders/store.ts";
import type { ComposedOrders } from "./otc-orders.ts";
import type { OtcParts } from "./part.ts";
import { simulatedProvider } from "./simulated-provider.ts";

export function composeProviders(parts: OtcParts, { book, orders }: { book: AdBook; orders: ComposedOrders }) {
  const { context, money, prices } = parts;
  const { accounts, clock, database, log } = context;
  const onFailure = (error: unknown) => log.warn("otc.provider.failed", { error });
  const simulated = context.isTestMoney ? simulatedProvider(clock, onFailure) : undefined;
  const service = new ProviderService({
    store: providerStore(database.kysely),
    needs: {
      now: clock.now,
      providers: simulated === undefined ? [] : [simulated],
      coin: prices.coin,
      indexPriceE4: (asset, fiat) => book.indexPrice(asset, fiat),
      rateE8: prices.rateE8,
      levelOf: (userId) => accounts.kyc.levelOf(userId, clock.now()),
      payCoins: money.payCoins,
      holdCoins: money.holdCoins,
      takeCoins: money.takeCoins,
      returnCoins: money.returnCoins,
      randomId: parts.randomId,
      changed: ({ user_id, deal_id }) => orders.needs.publish(user_id, { orderId: deal_id, what: "deal" }),
      notify: ({ user_id, deal_id }, { title, body }) =>
        parts.notify(user_id, "otc-provider", title, body, `otc-provider:${deal_id}`, "/otc/providers"),
      listBills: async (userId, query, count) => [
        ...(await listTrades(parts, orders, userId, query, count)),
        ...(await listBonds(parts, userId, query)),
      ],
    },
  });
  simulated?.connect((body, signature) => service.callback(body, signature));
  return {
    service,
    routes: otcProviderRoutes(service),
    /** A simulated provider loses its state with its process: deals waiting for it are started again. */
    async start(): Promise<void> {
      for (const deal of await service.listPending()) await simulated?.begin(deal);
    },
    close: () => simulated?.close(),
  };
}

/** An order's coins, and the advertiser's fee. */
async function listTrades(
  { prices }: OtcParts,
  orders: ComposedOrders,
  userId: number,
  query: BillsQuery,
  count: number,
): Promise<readonly Bill[]> {
  const role = ROLE_OF[query.kind ?? "all"];
  if (role === undefined) return [];
  const rows = await orders.store.listFinished(userId, { ...query, upTo: billsUpTo(query.before), role }, count);
  return rows.flatMap((row): readonly Bill[] => {
    const coins = (amountUnits: bigint): string => formatUnits(units(amountUnits), prices.coin(row.asset)?.scale ?? 0);
    const bill = { reference: row.order_id, asset: row.asset, atMs: row.ended_ms, fiat: row.fiat };
    const amount = decimalText(row.amount_cents, FIAT_SCALE);
    const trade: Bill =
      row.buyer_id === userId
        ? { ...bill, kind: "buy", quantity: coins(row.quantity_units), amount: `-${amount}` }
        : { ...bill, kind: "sell", quantity: `-${coins(row.quantity_units)}`, amount };
    if (row.maker_id !== userId || row.fee_units === 0n) return [trade];
    return [trade, { ...bill, kind: "fee", quantity: `-${coins(row.fee_units)}`, amount: null }];
  });
}

const ROLE_OF: Readonly<Record<string, "any" | "buyer" | "seller" | "maker">> = {
  all: "any",
  buy: "buyer",
  sell: "seller",
  fee: "maker",
};

/** A bond paid in or returned, and compensations drawn from it. */
async function listBonds({ store }: OtcParts, userId: number, { kind, fiat }: BillsQuery): Promise<readonly Bill[]> {
  if (fiat !== undefined || (kind !== undefined && kind !== "bond" && kind !== "compensation")) return [];
  const moves = (await store.listMoves(userId)).filter(({ state }) => state === "PAID");
  return moves.map((row): Bill => {
    const isOwn = row.user_id === row.to_user_id;
    const isIn = row.kind === "draw" && row.to_user_id === userId;
    return {
      kind: isOwn ? "bond" : "compensation",
      reference: row.reference,
      asset: "USDT",
      quantity: `${isIn ? "" : "-"}${formatUnits(units(row.amount_units), USDT_SCALE)}`,
      fiat: null,
      amount: null,
      atMs: row.created_ms,
    };
  });
}
