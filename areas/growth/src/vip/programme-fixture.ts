// A small exchange for tests of levels and rebates: a real core whose events reach real tables, traders, and a process
// that may be killed before and after every call it makes. Must never be used by the running server.
import { coreOf, createMachine } from "@clockwork/core/machine/machine";
import { FEES_ACCOUNT, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createStage, type Stage } from "@clockwork/core/testing/stage";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { Random } from "@clockwork/kit/random";
import { openProjection } from "@clockwork/server/engine/projection/projection";
import { finishDespiteKills, type Life } from "@clockwork/server/kill-fixture";
import { JOURNAL, PROJECTION_MIGRATIONS } from "@clockwork/server/projectors/projection-fixture";
import { PROJECTORS } from "@clockwork/server/projectors/projectors";
import type { Database } from "@clockwork/server/storage/database";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import type { InvitedUser, InviteNeeds } from "../invite/needs.ts";
import { RebateService } from "../invite/rebate-service.ts";
import type { HourFee } from "../invite/rules.ts";
import { InviteService } from "../invite/service.ts";
import { inviteStore } from "../invite/store.ts";
import { CountService } from "./count-service.ts";
import type { VipNeeds } from "./needs.ts";
import { VipService } from "./service.ts";
import { vipStore } from "./store.ts";

/** 2026-01-05 00:00 UTC. */
export const START_MS = Date.UTC(2026, 0, 5);
/** One lot is 1 000 units of the base and trades for 100 000 of the quote: a unit of the base is worth 100. */
export const PRICE = 100_000;
export const LOT_UNITS = 1_000;
const BASE_WORTH = 100n;
/** Fees without a level, in 1e-8. */
const BASE_RATE = 100_000;

export interface Services {
  readonly rebates: RebateService;
  readonly count: CountService;
  readonly levels: VipService;
}

export interface Town {
  readonly stage: Stage;
  readonly accounts: ReadonlyMap<number, number>;
  /** How often the process was killed. */
  readonly kills: () => number;
  balanceOf(account: number, asset: number): number;
  worth(asset: number, amountUnits: bigint): bigint;
  /** `lots` change hands; the taker buys. */
  trade(makerAccount: number, takerAccount: number, lots: number): void;
  /** Completes a job, restarting the process as often as it is killed. */
  finish(job: (services: Services) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export interface TownOptions {
  readonly database: Database;
  readonly random: Random;
  readonly invited: readonly InvitedUser[];
  /** Users at one device. */
  readonly sharing: readonly (readonly number[])[];
  /** The returns of coupons in an hour. */
  readonly feesBack: (hour: number) => readonly HourFee[];
  /** By user, worth in USDT units, half of it in each coin. */
  readonly funds: ReadonlyMap<number, number>;
}

export async function openTown(options: TownOptions): Promise<Town> {
  const { database, funds } = options;
  const root = new URL("../../../..", import.meta.url).pathname;
  const own = collectMigrations(root).filter(({ name }) => /^(invite|vip)\//.test(name));
  await migrate(database, [...PROJECTION_MIGRATIONS, ...own]);
  const stage = createStage({ anchorTicks: PRICE });
  stage.time = START_MS;
  stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: BASE_RATE, takerRate: BASE_RATE });
  const accounts = new Map<number, number>();
  for (const [user, worth] of [...funds, [SIMULATED_USER_MIN, 10 ** 13] as const]) {
    accounts.set(user, stage.trader(Math.floor(worth / 200), Math.floor(worth / 2), { user }));
  }
  const { kysely } = database;
  const projection = await openProjection({ kysely, projectors: PROJECTORS, transactionEvents: 1_000, pauseMs: 0 });
  projection.bind(JOURNAL);
  const settle = followJournal(stage, projection);
  const worth = (asset: number, amount: bigint): bigint => (asset === stage.base ? amount * BASE_WORTH : amount);
  let kills = 0;
  const place = { ...options, stage, accounts, settle, worth };
  return {
    stage,
    accounts,
    worth,
    kills: () => kills,
    balanceOf: (account, asset) => balanceOf(stage, account, asset),
    trade: (maker, taker, lots) => trade(stage, maker, taker, lots),
    finish: async (job) => {
      kills += await finishDespiteKills(options.random, (life) => job(servicesOf(place, life)));
    },
    close: () => projection.close(),
  };
}

interface ProgrammeServer extends TownOptions {
  readonly stage: Stage;
  readonly accounts: ReadonlyMap<number, number>;
  readonly settle: () => Promise<void>;
  readonly worth: Town["worth"];
}

/** All events reach the tables on request. */
function followJournal(stage: Stage, projection: Awaited<ReturnType<typeof openProjection>>): () => Promise<void> {
  const mirror = createMachine();
  let answer = 0;
  return async () => {
    for (; answer < stage.journal.length; answer += 1) {
      const timeBeforeMs = mirror.now;
      mirror.events.clear();
      mirror.apply(stage.journal[answer] ?? new Uint8Array(), 0);
      const { sequence, events } = mirror;
      const bytes = events.bytes.slice(0, events.length);
      await projection.listen({ firstSequence: sequence, lastSequence: sequence, timeBeforeMs, bytes });
    }
    await projection.flush();
  };
}

function balanceOf(stage: Stage, account: number, asset: number): number {
  const { ledger } = coreOf(stage.machine);
  return ledger.available(ledger.cellIndex.find(account, asset));
}

function trade(stage: Stage, maker: number, taker: number, lots: number): void {
  const { market } = stage;
  const order = { market, price: PRICE, quantity: lots };
  stage.send({ kind: "placeOrder", account: maker, side: "sell", ...order });
  const events = stage.send({ kind: "placeOrder", account: taker, side: "buy", ...order });
  if (eventsOf(events, "trade").length !== 1) throw new Error(`no trade: ${JSON.stringify(events)}`);
}

function servicesOf(place: ProgrammeServer, life: Life): Services {
  const { kysely } = place.database;
  const invites = { store: life.guard(inviteStore(kysely)), needs: life.guard(inviteNeeds(place)) };
  const levels = { store: life.guard(vipStore(kysely)), needs: life.guard(vipNeeds(place)) };
  return {
    rebates: new RebateService(invites, new InviteService(invites)),
    count: new CountService(levels),
    levels: new VipService(levels),
  };
}

function inviteNeeds({ stage, accounts, invited, sharing, feesBack, settle, worth }: ProgrammeServer): InviteNeeds {
  const needs: Partial<InviteNeeds> = {
    now: () => stage.time,
    listInvited: async (after, limit) =>
      invited
        .filter(
          ({ joinedMs, userId }) => joinedMs > after.joinedMs || (joinedMs === after.joinedMs && userId > after.userId),
        )
        .slice(0, limit),
    listSharing: async (userIds) =>
      new Set(
        sharing
          .filter((some) => some.some((one) => userIds.includes(one)))
          .flatMap((some) => some.filter((one) => !userIds.includes(one))),
      ),
    sharesWith: async (userId, among) =>
      new Set(
        sharing.filter((some) => some.includes(userId)).flatMap((some) => some.filter((one) => among.includes(one))),
      ),
    listSharers: async (userIds) =>
      new Set(userIds.filter((userId) => sharing.some((some) => some.length > 1 && some.includes(userId)))),
    ownCode: async (userId) => `CODE${userId}`,
    worthUnits: worth,
    settledAt: settle,
    listFeesBack: async (_, hour) => feesBack(hour),
    meet: async () => undefined,
    async pay(receiverId, legs, reference) {
      const to = accounts.get(receiverId) ?? 0;
      const moved = legs.map((leg) => ({
        from: FEES_ACCOUNT,
        to,
        asset: leg.asset,
        business: "rebate" as const,
        units: toCoreUnits(units(leg.units)),
      }));
      return eventsOf(stage.send({ kind: "settle", reference, legs: moved }), "rejected").length === 0;
    },
    giveWay: async () => undefined,
    rest: async () => undefined,
    notify: async () => undefined,
    report: () => undefined,
  };
  return needs as InviteNeeds;
}

function vipNeeds({ stage, settle, worth }: ProgrammeServer): VipNeeds {
  const needs: Partial<VipNeeds> = {
    now: () => stage.time,
    findMarket: () => ({ kind: "spot", settle: stage.quote, isFree: false }),
    worthUnits: worth,
    isPerson: (userId) => userId > 0 && userId < SIMULATED_USER_MIN,
    settledAt: settle,
    readGroupFees: () => ({ spotMakerRate: 1e8, spotTakerRate: 1e8, perpMakerRate: 1e8, perpTakerRate: 1e8 }),
    readFees: () => ({ spotMakerRate: 0, spotTakerRate: 0, perpMakerRate: 0, perpTakerRate: 0 }),
    setFees: async (user, fees) =>
      eventsOf(stage.send({ kind: "setUserFees", user, ...fees }), "rejected").length === 0,
    notify: async () => undefined,
  };
  return needs as VipNeeds;
}
