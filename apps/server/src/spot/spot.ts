// Connects spot trading with the core, the account cache, the database and the sockets. Holds no rule of its own.
import { randomBytes } from "node:crypto";
import { faucetRoutes } from "@clockwork/domains/spot/faucet-routes";
import { FaucetService } from "@clockwork/domains/spot/faucet-service";
import type { SpotNeeds } from "@clockwork/domains/spot/needs";
import { describeRows, describeView, PRIVATE_CHANNELS } from "@clockwork/domains/spot/projector";
import { spotRoutes } from "@clockwork/domains/spot/routes";
import { SpotService } from "@clockwork/domains/spot/service";
import { spotStore } from "@clockwork/domains/spot/store";
import { type Part, type PartContext, runs } from "../part.ts";
import { composeCoupons } from "./coupons.ts";

/** Every market of the catalogue charges by this group. */
const SPOT_FEE_GROUP = 0;

export function spotPart(context: PartContext): Part {
  const { kysely } = context.database;
  const { pairs } = context.market;
  const store = spotStore(kysely);
  const needs = spotNeeds(context);
  const spot = new SpotService({ needs, store });
  const faucet = new FaucetService({
    ...needs,
    sumGiven: store.sumGiven,
    drawReference: () => `faucet:${randomBytes(18).toString("hex").slice(0, 28)}`,
  });
  const coupons = composeCoupons(context, needs);
  const { live } = context.ledger;
  return {
    routes: [...spotRoutes(spot), ...coupons.routes, ...(context.isTestMoney ? faucetRoutes(faucet) : [])],
    channels: PRIVATE_CHANNELS.map((channel) =>
      live.channel({
        channel,
        biz: "spot",
        books: ["spot"],
        first: "spot",
        concerns: (change) => change[channel].length > 0,
        describeChange: (change) => describeRows(pairs, channel, change),
        describeView: (view) => describeView(pairs, channel, view),
      }),
    ),
    ...runs(() => coupons.start()),
  };
}

function spotNeeds({ engine, market, clock, ledger }: PartContext): SpotNeeds {
  const { accounts, openView, settled } = ledger;
  return {
    pairs: market.pairs,
    clock: clock.now,
    openView,
    settled,
    submit: engine.submit,
    findSpotAccount: (userId) => accounts.open(userId, "spot"),
    recallSpotAccount: (userId) => accounts.recall(userId, "spot"),
    readFee: async (_, account) => {
      const own = (await openView(account)).fees.get(SPOT_FEE_GROUP);
      const group = engine.cache?.groupFee(SPOT_FEE_GROUP);
      const rate = (mine: number | undefined, theirs: number | undefined) =>
        mine === undefined || mine < 0 ? (theirs ?? 0) : mine;
      return {
        level: 0,
        makerRate: rate(own?.maker_rate, group?.maker_rate),
        takerRate: rate(own?.taker_rate, group?.taker_rate),
      };
    },
  };
}
