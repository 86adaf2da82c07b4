// Connects spot trading with the core, the account cache, the database and the sockets. Contains no rules.
import { randomBytes } from "node:crypto";
import type { AccountChange, CachedAccount } from "@clockwork/host/engine";
import { type Part, runs } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import { type Coupons, composeCoupons } from "../coupons/part.ts";
import type { TradingPorts } from "../ports.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import { faucetRoutes } from "./faucet-routes.ts";
import { FaucetService } from "./faucet-service.ts";
import type { AccountView, SpotNeeds } from "./needs.ts";
import { describeRows, describeView, PRIVATE_CHANNELS } from "./projector.ts";
import { spotRoutes } from "./routes.ts";
import { SpotService } from "./service.ts";
import { spotStore } from "./store.ts";

/** Every market of the catalogue charges by this group. */
const SPOT_FEE_GROUP = 0;

export interface Spot extends Part {
  readonly coupons: Coupons["service"];
}

export function spotPart(context: PartContext, ports: TradingPorts): Spot {
  const { kysely } = context.database;
  const { pairs } = context.market;
  const store = spotStore(kysely);
  const needs = spotNeeds(context, ports);
  const spot = new SpotService({ needs, store });
  const faucet = new FaucetService({
    ...needs,
    sumGiven: store.sumGiven,
    wasGiven: store.wasGiven,
    drawReference: () => `faucet:${randomBytes(18).toString("hex").slice(0, 28)}`,
  });
  const coupons = composeCoupons(context, needs);
  const { live } = context.ledger;
  return {
    coupons: coupons.service,
    routes: [...spotRoutes(spot), ...coupons.routes, ...(context.isTestMoney ? faucetRoutes(faucet) : [])],
    channels: PRIVATE_CHANNELS.map((channel) =>
      live.channel({
        channel,
        biz: "spot",
        books: ["spot"],
        first: "spot",
        concerns: (change) => rowsOf(change)[channel].length > 0,
        describeChange: (change) => describeRows(pairs, channel, { owner: change.owner, ...rowsOf(change) }),
        describeView: (view) => describeView(pairs, channel, viewOf(view)),
      }),
    ),
    ...runs(() => coupons.start()),
  };
}

/** Changes, by the names of the private channels. */
function rowsOf(change: AccountChange) {
  const { orders = [], fills = [] } = change.of(orderView) ?? {};
  return { orders, fills, balances: change.of(ledgerView)?.balances ?? [] };
}

function viewOf(cached: CachedAccount): AccountView {
  const { owner, changedSequence } = cached;
  const { orders, fills } = cached.of(orderView);
  return { owner, changedSequence, orders, fills, balances: cached.of(ledgerView).balances };
}

function spotNeeds({ engine, market, clock, ledger }: PartContext, { levelOf }: TradingPorts): SpotNeeds {
  const { accounts, settled } = ledger;
  const openView = async (account: number) => viewOf(await ledger.openView(account));
  return {
    pairs: market.pairs,
    clock: clock.now,
    openView,
    settled,
    submit: engine.submit,
    findSpotAccount: (userId) => accounts.open(userId, "spot"),
    recallSpotAccount: (userId) => accounts.recall(userId, "spot"),
    readFee: async (userId, account) => {
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
