// Connects spot trading and the wallet with the core, the account cache, the database and the sockets. Holds no rule of its own.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { faucetRoutes } from "@clockwork/domains/spot/faucet-routes";
import { FaucetService } from "@clockwork/domains/spot/faucet-service";
import type { SpotNeeds } from "@clockwork/domains/spot/needs";
import { describeRows, describeView, PRIVATE_CHANNELS, type PrivateChannel } from "@clockwork/domains/spot/projector";
import { spotRoutes } from "@clockwork/domains/spot/routes";
import { SpotService } from "@clockwork/domains/spot/service";
import { spotStore } from "@clockwork/domains/spot/store";
import { walletRoutes } from "@clockwork/domains/wallet/routes";
import { WalletService } from "@clockwork/domains/wallet/service";
import { walletStore } from "@clockwork/domains/wallet/store";
import { type Part, type PartContext, runs } from "../part.ts";
import type { Channel } from "../socket/channel.ts";
import { type BookFinder, createBookFinder } from "./book-finder.ts";
import { composeCoupons } from "./coupons.ts";

const SETTLE_MS_MAX = 2_000;
const RESUMABLE_MS = 600_000;
const SWEEP_MS = 60_000;
const SHED_MS = 1_000;
/** Every market of the catalogue charges by this group. */
const SPOT_FEE_GROUP = 0;

export function spotPart(context: PartContext): Part {
  const { kysely } = context.database;
  const { pairs } = context.market;
  const { users } = context.accounts;
  const books = createBookFinder((userId, book) => users.findBook(userId, book));
  const store = spotStore(kysely);
  const needs = spotNeeds(context, books);
  const spot = new SpotService({ needs, store });
  const wallet = new WalletService({
    store: walletStore(kysely),
    needs: {
      coins: pairs,
      submit: needs.submit,
      settled: needs.settled,
      openView: needs.openView,
      findAccount: books.find,
    },
  });
  const faucet = new FaucetService({
    ...needs,
    sumGiven: store.sumGiven,
    drawReference: () => `faucet:${randomBytes(18).toString("hex").slice(0, 28)}`,
  });
  const coupons = composeCoupons(context, needs);
  return {
    routes: [
      ...spotRoutes(spot),
      ...walletRoutes(wallet),
      ...coupons.routes,
      ...(context.isTestMoney ? faucetRoutes(faucet) : []),
    ],
    channels: PRIVATE_CHANNELS.map((channel) => privateChannel(channel, context, needs)),
    ...runs(() => {
      const stopTelling = startTelling(context, books.userOf);
      const stopCoupons = coupons.start();
      return async () => {
        stopTelling();
        await stopCoupons();
      };
    }),
  };
}

function spotNeeds({ engine, market, clock }: PartContext, books: BookFinder): SpotNeeds {
  const openView = async (account: number) => {
    if (engine.cache === undefined) throw new Error("the engine keeps no account cache");
    return engine.cache.open(account, clock());
  };
  return {
    pairs: market.pairs,
    clock,
    openView,
    submit: engine.submit,
    findSpotAccount: (userId) => books.find(userId, "spot"),
    recallSpotAccount: (userId) => books.recall(userId, "spot"),
    // Tables that lag are no reason to refuse: what is missing is only the newest.
    settled: async (sequence) => {
      const abort = new AbortController();
      const late = sleep(SETTLE_MS_MAX, undefined, { signal: abort.signal }).catch(() => undefined);
      await Promise.race([engine.reached(sequence), late]);
      abort.abort();
    },
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

const topicOf = (channel: PrivateChannel) => ({ channel, biz: "spot" });

/** Numbered by the journal, so that one number orders all three; resumable for ten minutes. */
function privateChannel(channel: PrivateChannel, { engine, market }: PartContext, needs: SpotNeeds): Channel {
  return {
    channel,
    kind: "sequenced",
    isPrivate: true,
    retainMs: RESUMABLE_MS,
    serves: ({ biz, type, pairCode, base }) =>
      biz === "spot" && [type, pairCode, base].every((part) => part === undefined),
    position: () => engine.cache?.sequence ?? 0,
    snapshot: async (_, user) => {
      const account = await needs.findSpotAccount(Number(user));
      const { cache } = engine;
      if (account === undefined || cache === undefined) throw new Error("the account is being opened");
      const view = await needs.openView(account);
      return { data: describeView(market.pairs, channel, view), sequence: cache.sequence };
    },
  };
}

function startTelling({ engine, live, market, clock }: PartContext, userOf: BookFinder["userOf"]) {
  const { cache } = engine;
  const { pairs } = market;
  if (cache === undefined) return () => undefined;
  const stop = cache.subscribe((change) => {
    const user = userOf(change.account);
    if (user === undefined) return;
    for (const channel of PRIVATE_CHANNELS) {
      if (change[channel].length === 0) continue;
      const extra = { sequence: change.sequence, account: String(user) };
      live.publish(topicOf(channel), () => describeRows(pairs, channel, change), extra);
    }
  });
  const isWatched = (account: number): boolean => {
    const user = String(userOf(account));
    return PRIVATE_CHANNELS.some((channel) => live.isOpen(topicOf(channel), user));
  };
  const timer = setInterval(() => cache.sweep(clock(), isWatched), SWEEP_MS);
  const shedTimer = setInterval(() => cache.shed(clock(), isWatched), SHED_MS);
  for (const one of [timer, shedTimer]) one.unref();
  return () => {
    clearInterval(timer);
    clearInterval(shedTimer);
    stop();
  };
}
