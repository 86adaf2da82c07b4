// Connects spot trading and the wallet with the core, the desk, the database and the sockets. Holds no rule of its own.
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
import type { RouteSpec } from "@clockwork/kit/route";
import type { Kysely } from "kysely";
import { refuse } from "../engine/ack.ts";
import type { Engine } from "../engine/engine.ts";
import type { Desk } from "../engine/projection/account-cache.ts";
import type { Projection } from "../engine/projection/projection.ts";
import type { PairBook } from "../market/pairs.ts";
import type { Channel } from "../socket/channel.ts";
import type { Hub } from "../socket/hub.ts";
import { createBookFinder } from "./book-finder.ts";
import { type CouponParts, composeCoupons } from "./coupons.ts";

export interface SpotParts extends Pick<CouponParts, "log" | "readIndexTicks" | "operators"> {
  readonly kysely: Kysely<unknown>;
  readonly pairs: PairBook;
  readonly clock: () => number;
  readonly hub: () => Hub | undefined;
  /** The core's account behind a user's book. */
  readonly findBook: (userId: number, book: "spot" | "funding") => Promise<number | undefined>;
  /** Left out by tests that only look at the process. */
  readonly engine: Partial<Pick<Engine, "submit">> & {
    readonly desk?: Desk | undefined;
    readonly projection?: Pick<Projection, "reached"> | undefined;
  };
  /** The default run: a faucet, and coupons paid in coins made for it. */
  readonly isTestMoney: boolean;
}

export interface Spot {
  readonly routes: readonly RouteSpec[];
  /** At the root of the site. */
  readonly rootRoutes: readonly RouteSpec[];
  readonly channels: readonly Channel[];
  /** Begins telling the channels; the answer ends it. */
  start(): () => Promise<void>;
}

const SETTLE_MS_MAX = 2_000;
const RESUMABLE_MS = 600_000;
const SWEEP_MS = 60_000;
const SHED_MS = 1_000;
/** Every market of the catalogue charges by this group. */
const SPOT_FEE_GROUP = 0;

export function composeSpot(parts: SpotParts): Spot {
  const { kysely, pairs, clock } = parts;
  const { desk, projection, submit } = parts.engine;
  const books = createBookFinder(parts.findBook);
  const store = spotStore(kysely);
  const openView = async (account: number) => {
    if (desk === undefined) throw new Error("the engine keeps no desk");
    return desk.open(account, clock());
  };
  const needs: SpotNeeds = {
    pairs,
    clock,
    openView,
    submit: submit ?? (async () => refuse("ENGINE_STARTING")),
    findSpotAccount: (userId) => books.find(userId, "spot"),
    recallSpotAccount: (userId) => books.recall(userId, "spot"),
    // Tables that lag are no reason to refuse: what is missing is only the newest.
    settled: async (sequence) => {
      const abort = new AbortController();
      const late = sleep(SETTLE_MS_MAX, undefined, { signal: abort.signal }).catch(() => undefined);
      await Promise.race([projection?.reached(sequence), late]);
      abort.abort();
    },
    readFee: async (_, account) => {
      const own = (await openView(account)).fees.get(SPOT_FEE_GROUP);
      const group = desk?.groupFee(SPOT_FEE_GROUP);
      const rate = (mine: number | undefined, theirs: number | undefined) =>
        mine === undefined || mine < 0 ? (theirs ?? 0) : mine;
      return {
        level: 0,
        makerRate: rate(own?.maker_rate, group?.maker_rate),
        takerRate: rate(own?.taker_rate, group?.taker_rate),
      };
    },
  };
  const spot = new SpotService({ needs, store });
  const wallet = new WalletService({
    store: walletStore(kysely),
    needs: { coins: pairs, submit: needs.submit, settled: needs.settled, openView, findAccount: books.find },
  });
  const faucet = new FaucetService({
    ...needs,
    sumGiven: store.sumGiven,
    drawReference: () => `faucet:${randomBytes(18).toString("hex").slice(0, 28)}`,
  });
  const coupons = composeCoupons({ ...parts, spot: needs });
  return {
    routes: [...spotRoutes(spot), ...walletRoutes(wallet), ...coupons.routes],
    rootRoutes: parts.isTestMoney ? faucetRoutes(faucet) : [],
    channels: PRIVATE_CHANNELS.map((channel) => privateChannel(channel, parts, needs)),
    start: () => {
      const stopTelling = startTelling(parts, books.userOf);
      const stopCoupons = coupons.start();
      return async () => {
        stopTelling();
        await stopCoupons();
      };
    },
  };
}

const topicOf = (channel: PrivateChannel) => ({ channel, biz: "spot" });

/** Numbered by the journal, so that one number orders all three; resumable for ten minutes. */
function privateChannel(channel: PrivateChannel, parts: SpotParts, needs: SpotNeeds): Channel {
  const { desk } = parts.engine;
  return {
    channel,
    kind: "sequenced",
    isPrivate: true,
    retainMs: RESUMABLE_MS,
    serves: ({ biz, type, pairCode, base }) =>
      biz === "spot" && [type, pairCode, base].every((part) => part === undefined),
    position: () => desk?.sequence ?? 0,
    snapshot: async (_, user) => {
      const account = await needs.findSpotAccount(Number(user));
      if (account === undefined || desk === undefined) throw new Error("the account is being opened");
      const view = await needs.openView(account);
      return { data: describeView(parts.pairs, channel, view), sequence: desk.sequence };
    },
  };
}

function startTelling({ engine, hub, pairs, clock }: SpotParts, userOf: (account: number) => number | undefined) {
  const { desk } = engine;
  if (desk === undefined) return () => undefined;
  const stop = desk.subscribe((change) => {
    const user = userOf(change.account);
    if (user === undefined) return;
    for (const channel of PRIVATE_CHANNELS) {
      if (change[channel].length === 0) continue;
      const extra = { sequence: change.sequence, account: String(user) };
      hub()?.publish(topicOf(channel), () => describeRows(pairs, channel, change), extra);
    }
  });
  const isWatched = (account: number): boolean => {
    const user = String(userOf(account));
    return PRIVATE_CHANNELS.some((channel) => hub()?.isOpen(topicOf(channel), user) === true);
  };
  const timer = setInterval(() => desk.sweep(clock(), isWatched), SWEEP_MS);
  const shedTimer = setInterval(() => desk.shed(clock(), isWatched), SHED_MS);
  for (const one of [timer, shedTimer]) one.unref();
  return () => {
    clearInterval(timer);
    clearInterval(shedTimer);
    stop();
  };
}
