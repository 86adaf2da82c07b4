// What spot trading takes of the market, the engine and the ledger.
import type { CachedAccount } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import type { PartContext } from "../context.ts";
import type { TradingPorts } from "../ports.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import type { BalanceRow, FillRow, OrderRow } from "../projectors/rows/rows.ts";

/** Every market of the catalogue charges by this group. */
const SPOT_FEE_GROUP = 0;

/** The current state of an account, never older than the last answer to its owner. */
export interface AccountView {
  readonly owner: AccountOwner;
  readonly orders: ReadonlyMap<number, OrderRow>;
  readonly balances: ReadonlyMap<number, BalanceRow>;
  readonly fills: readonly FillRow[];
  readonly changedSequence: number;
}

export type SpotNeeds = ReturnType<typeof spotNeeds>;

export function spotNeeds({ engine, market, clock, ledger }: PartContext, { levelOf }: TradingPorts) {
  const { accounts, settled } = ledger;
  const openView = async (account: number) => viewOf(await ledger.openView(account));
  return {
    pairs: market.pairs,
    clock: clock.now,
    openView,
    settled,
    submit: engine.submit,
    /** The core's account behind a user's spot book; undefined while it is being opened. */
    findSpotAccount: (userId: number) => accounts.open(userId, "spot"),
    /** The same, synchronously, if it is cached; undefined proves nothing. */
    recallSpotAccount: (userId: number) => accounts.recall(userId, "spot"),
    /** The account's rates, in 1e-8, and its level. */
    readFee: async (userId: number, account: number) => {
      const own = (await ledger.openView(account)).of(ledgerView).fees.get(SPOT_FEE_GROUP);
      const { groupFees, userFees } = engine.cache?.facts ?? {};
      const user = userFees?.get(userId)?.spot;
      const group = groupFees?.get(SPOT_FEE_GROUP);
      // The narrowest rule with a rate applies.
      const rate = (...rates: readonly (number | undefined)[]) =>
        rates.find((one) => one !== undefined && one >= 0) ?? 0;
      return {
        level: await levelOf(userId),
        makerRate: rate(own?.maker_rate, user?.maker, group?.maker),
        takerRate: rate(own?.taker_rate, user?.taker, group?.taker),
      };
    },
  };
}

export function viewOf(cached: CachedAccount): AccountView {
  const { owner, changedSequence } = cached;
  const { orders, fills } = cached.of(orderView);
  return { owner, changedSequence, orders, fills, balances: cached.of(ledgerView).balances };
}
