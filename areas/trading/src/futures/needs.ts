// What futures trading takes of the engine, the ledger, the market and positions.
import { goldSubOf } from "@clockwork/core/protocol/names";
import type { CachedAccount } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import { CONTRACT_SLIPPAGE_BPS } from "@clockwork/kit/contract-catalogue";
import type { PartContext } from "../context.ts";
import type { TradingPorts } from "../ports.ts";
import type { BookChoice } from "../positions/account-view.ts";
import type { FuturesBooks } from "../positions/books.ts";
import { readRoom } from "../positions/room-rules.ts";
import type { FuturesLook } from "../positions/views.ts";
import type { StopRow } from "../projectors/futures/futures-rows.ts";
import { futuresView } from "../projectors/futures/futures-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";

/** The current state of an account, never older than the last answer to its owner. */
export interface TradingView {
  readonly account: number;
  readonly owner: AccountOwner;
  readonly changedSequence: number;
  readonly orders: ReadonlyMap<number, OrderRow>;
  readonly stops: ReadonlyMap<number, StopRow>;
  readonly isHedge: boolean;
}

export type FuturesNeeds = ReturnType<typeof futuresNeeds>;

export function futuresNeeds(context: PartContext, { levelOf }: TradingPorts, books: FuturesBooks, look: FuturesLook) {
  const { engine, ledger, market } = context;
  const { contracts } = look;
  const openView = async (account: number): Promise<TradingView> => tradingView(await ledger.openView(account));
  return {
    pairs: contracts,
    submit: engine.submit,
    openView,
    settled: ledger.settled,
    openAccount: books.open,
    recallAccount: books.recall,
    listAccounts: books.list,
    /** The almighty gold books of this user's accounts. */
    listGold: async (userId: number, beside: readonly number[]) => {
      const subs = new Set(beside.map(goldSubOf));
      return (await ledger.accounts.list(userId)).filter(({ book, sub }) => book === "bonus" && subs.has(sub));
    },
    listViews: async (userId: number, choice: BookChoice) => {
      const owned = await books.list(userId, choice);
      return Promise.all(owned.map(({ account }) => openView(account)));
    },
    /** The account's rates, in 1e-8, and its level. */
    readFee: async (userId: number, account: number | undefined) => {
      const cached = account === undefined ? undefined : await ledger.openView(account);
      const { maker, taker } = look.ratesOf(cached, userId);
      return { level: await levelOf(userId), makerRate: maker, takerRate: taker };
    },
    /** How much may be ordered, according to the margin rules. */
    readRoom: async (account: number | undefined, of: number, priceTicks: number | undefined) => {
      const pair = market.pairs.findMarket(of);
      if (pair === undefined) throw new Error(`market ${of} is not listed`);
      const view = account === undefined ? undefined : look.viewOf(await ledger.openView(account));
      const book = market.data.projector.states.get(pair.contract?.mirror || of)?.book;
      const mark = contracts.markTicks(of);
      // A market order is bounded by the best price and its slippage.
      const beyond = (best: number, sign: number): number =>
        Math.round((best === 0 ? mark : best) * (1 + (sign * CONTRACT_SLIPPAGE_BPS) / 10_000));
      return readRoom(contracts, view, pair, {
        buyTicks: priceTicks ?? beyond(book?.asks.bestTicks ?? 0, 1),
        sellTicks: priceTicks ?? beyond(book?.bids.bestTicks ?? 0, -1),
        maxLots: priceTicks === undefined ? pair.maxMarketLots : pair.maxLots,
      });
    },
  };
}

export const isHedge = (cached: Pick<CachedAccount, "of"> | undefined): boolean =>
  cached?.of(futuresView).settings.get(0)?.hedge ?? false;

function tradingView(cached: CachedAccount): TradingView {
  const { stops } = cached.of(futuresView);
  return {
    account: cached.account,
    owner: cached.owner,
    changedSequence: cached.changedSequence,
    orders: cached.of(orderView).orders,
    stops,
    isHedge: isHedge(cached),
  };
}
