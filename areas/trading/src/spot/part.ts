// Connects spot trading with the core, the account cache, the database and the sockets. Contains no rules.
import { randomBytes } from "node:crypto";
import type { AccountChange } from "@clockwork/host/engine";
import { type Part, runs } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import { type Coupons, composeCoupons } from "../coupons/part.ts";
import type { TradingPorts } from "../ports.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import { faucetRoutes } from "./faucet-routes.ts";
import { FaucetService } from "./faucet-service.ts";
import { spotNeeds, viewOf } from "./needs.ts";
import { describeRows, describeView, PRIVATE_CHANNELS } from "./projector.ts";
import { spotRoutes } from "./routes.ts";
import { SpotService } from "./service.ts";
import { spotStore } from "./store.ts";

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
