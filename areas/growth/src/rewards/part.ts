// Connects rewards and spring cards with the ledger, the tables, the sockets, operators and notices. Contains no rules.
import { createHash, randomBytes } from "node:crypto";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import type { EarnBooks } from "@clockwork/earning/earn/earn-books";
import type { EarnView } from "@clockwork/earning/earn/view-service";
import type { Channel } from "@clockwork/host/channel";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { HOUR_MS, SECOND_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import type { CouponService } from "@clockwork/trading/coupons/service";
import { seedAfter } from "@clockwork/trading/seeds/public-seed";
import type { InviteNeeds } from "../invite/needs.ts";
import type { Recommendation } from "../recommend/contract.ts";
import type { RecommendNeeds } from "../recommend/needs.ts";
import { springDeskRoutes } from "../spring/desk-routes.ts";
import { SpringDesk } from "../spring/desk-service.ts";
import type { SpringNeeds } from "../spring/needs.ts";
import { springRoutes } from "../spring/routes.ts";
import { SpringService } from "../spring/service.ts";
import { springStore } from "../spring/store.ts";
import { ClaimService } from "./claim-service.ts";
import { REWARDS_CHANNEL } from "./contract.ts";
import { listOtherCoupons } from "./coupon-list.ts";
import { offerRewards } from "./default-rewards.ts";
import { REWARDS_PERMISSION, RewardDesk } from "./desk-service.ts";
import { type RewardFacts, rewardFacts } from "./facts.ts";
import { FeeService } from "./fee-service.ts";
import { RewardMoney } from "./money.ts";
import type { RewardNeeds } from "./needs.ts";
import { rewardRoutes } from "./routes.ts";
import { rewardStore, type TaskRow } from "./store.ts";
import { TaskService } from "./task-service.ts";
import { Touched } from "./touched.ts";

const NOTICE = "rewards";
const POLL_MS = 3 * SECOND_MS;
const RESUME_MS = 10 * SECOND_MS;
const SEED_BYTES = 32;

export interface RewardSources {
  readonly books: EarnBooks;
  readonly coupons: Pick<CouponService, "list">;
  readonly earn: Pick<EarnView, "listCoupons">;
  /** The number of users invited in that time who are verified. */
  countInvitees(userId: number, fromMs: number, toMs: number): Promise<number>;
  /** Called for users who came by invitation. */
  onInvited(listener: (inviterId: number) => void): () => void;
  isCourse(course: string, timeMs: number): Promise<boolean>;
}

export interface Rewards extends Part {
  /** Rewards as the first page names them, while there are tasks. */
  readonly recommend: RecommendNeeds["sources"][number];
  /** For rebates: all that coupons return to these users of an hour's fees. */
  readonly listFeesBack: InviteNeeds["listFeesBack"];
}

const RECOMMENDED: Recommendation = {
  kind: "product",
  id: "rewards",
  title: "Rewards",
  reason: "reward",
  path: "/rewards",
};

export function rewardsPart(context: PartContext, sources: RewardSources): Rewards {
  const { database, accounts, permissions, audit, clock, live } = context;
  permissions.add({ name: REWARDS_PERMISSION, roles: [] });
  accounts.notices.register({ kind: NOTICE, group: "products", defaults: ["live", "letter"] });
  const store = rewardStore(database.kysely);
  const springs = springStore(database.kysely);
  const facts = rewardFacts(context, sources.countInvitees);
  const money = new RewardMoney(context, sources.books, store);
  const topic = { channel: REWARDS_CHANNEL };
  const changed = (userId: number): void => {
    const account = String(userId);
    if (!live.isOpen(topic, account)) return;
    const notify = async () => live.publish(topic, await tasks.list(userId, clock.now()), { account });
    notify().catch((error: unknown) => context.log.warn("rewards.publish.failed", { error }));
  };
  const shared = sharedNeeds(context, changed);
  const parts = {
    store,
    needs: rewardNeeds(sources, facts, money, {
      ...shared,
      sumPrizes: (campaignId) => springs.sumPrizes(campaignId),
    }),
  };
  const tasks = new TaskService(parts);
  const claims = new ClaimService(parts, tasks);
  const fees = new FeeService(parts);
  const desk = new RewardDesk(parts, clock.now);
  const numberOf = async (campaignId: string) => (await store.findCampaign(campaignId))?.number;
  const springParts = {
    store: springs,
    needs: springNeeds(context, { facts, money, numberOf, shared }),
  };
  const spring = new SpringService(springParts);
  const springDesk = new SpringDesk(springParts);
  const { proposals } = accounts;
  return {
    listFeesBack: async (userIds, hour) => {
      await fees.settleBefore(userIds, (hour + 1) * HOUR_MS);
      const rows = await store.listFeesBack(hour);
      return rows.map(({ user_id, asset, back_units }) => ({ userId: user_id, asset, feeUnits: back_units }));
    },
    recommend: async (_, timeMs) => ((await store.listTasks()).some(isRunning(timeMs)) ? [RECOMMENDED] : []),
    routes: [
      ...rewardRoutes({
        tasks,
        claims,
        desk,
        audit,
        propose: {
          campaign: proposals.register(desk.campaignKind()),
          fund: proposals.register(desk.fundKind()),
          task: proposals.register(desk.taskKind()),
        },
        claimantOf: accounts.claimants.of,
      }),
      ...springRoutes(spring, accounts.claimants.of),
      ...springDeskRoutes({ desk: springDesk, audit, propose: proposals.register(springDesk.activityKind()) }),
    ],
    channels: [taskChannel(tasks, clock.now)],
    ...runs(() =>
      startWork(context, { tasks, claims, fees, spring, facts, onInvited: sources.onInvited }, () => offer()),
    ),
  };

  async function offer(): Promise<void> {
    if (!context.isTestMoney || context.marketMode !== "simulated") return;
    await offerRewards({ desk, store, springs, fund: (...call) => money.fund(...call) }, clock.now());
  }
}

const isRunning =
  (timeMs: number) =>
  ({ is_open, starts_ms, ends_ms }: TaskRow): boolean =>
    is_open && timeMs >= starts_ms && timeMs < ends_ms;

function taskChannel(tasks: TaskService, now: () => number): Channel {
  return {
    channel: REWARDS_CHANNEL,
    kind: "latest",
    isPrivate: true,
    serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
    snapshot: async (_, account) => ({ data: await tasks.list(Number(account), now()) }),
  };
}

type Shared = Pick<RewardNeeds, "hash" | "changed" | "notify" | "report" | "takeReward">;

function sharedNeeds({ accounts, log }: PartContext, changed: (userId: number) => void): Shared {
  return {
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    takeReward: accounts.claimants.take,
    changed,
    notify: async (userId, notice, timeMs) => {
      await accounts.notices.notify(userId, { kind: NOTICE, path: "/rewards", ...notice }, timeMs);
    },
    report: (fact, fields) => log.warn(fact, fields),
  };
}

function rewardNeeds(
  sources: RewardSources,
  facts: RewardFacts,
  money: RewardMoney,
  shared: Shared & Pick<RewardNeeds, "sumPrizes">,
): RewardNeeds {
  return {
    ...shared,
    settled: facts.settled,
    count: facts.count,
    listFees: facts.listFees,
    levelOf: sources.books.levelOf,
    isCourse: sources.isCourse,
    take: (number, given) => money.take(number, given),
    give: (given) => money.give(given),
    unusedUnits: (given, timeMs) => money.unusedUnits(given, timeMs),
    giveBack: (number, given, unused) => money.giveBack(number, given, unused),
    payFees: (userId, amount, reference) => money.payFees(userId, amount, reference),
    readLeft: (number) => money.readLeft(number),
    readBudget: (number) => money.readBudget(number, facts.sumBetween),
    fund: (number, amount, reference) => money.fund(number, amount, reference),
    listOtherCoupons: (userId, timeMs) => listOtherCoupons(sources, userId, timeMs),
  };
}

interface SpringSources {
  readonly facts: RewardFacts;
  readonly money: RewardMoney;
  readonly numberOf: (campaignId: string) => Promise<number | undefined>;
  readonly shared: Shared;
}

function springNeeds(context: PartContext, { facts, money, numberOf, shared }: SpringSources): SpringNeeds {
  return {
    ...shared,
    volumeUnits: facts.volumeUnits,
    markReward: context.accounts.claimants.mark,
    isCampaign: async (campaignId) => (await numberOf(campaignId)) !== undefined,
    async readBudget(campaignId) {
      const number = await numberOf(campaignId);
      return number === undefined ? { leftUnits: 0n, fundedUnits: 0n } : money.readBudget(number, facts.sumBetween);
    },
    async setAside(campaignId, drawId, amountUnits) {
      const number = await numberOf(campaignId);
      return number === undefined ? "later" : money.setAside(number, drawId, amountUnits);
    },
    async payPrize(campaignId, prize) {
      const number = await numberOf(campaignId);
      return number === undefined ? "later" : money.payPrize(number, prize);
    },
    sequence: () => context.engine.health().sequence,
    seedAfter: (sequence) => seedAfter(context, sequence),
    randomSeed: () => randomBytes(SEED_BYTES).toString("hex"),
    randomId: () => randomBytes(SEED_BYTES).toString("hex"),
  };
}

interface Work {
  readonly tasks: TaskService;
  readonly claims: ClaimService;
  readonly fees: FeeService;
  readonly spring: SpringService;
  readonly facts: RewardFacts;
  readonly onInvited: RewardSources["onInvited"];
}

function startWork(context: PartContext, work: Work, offer: () => Promise<void>): () => Promise<void> {
  const { engine, clock, log } = context;
  if (!engine.isThere) return async () => undefined;
  const touched = new Touched();
  const unwatch = engine.cache?.subscribe((changes) => {
    for (const { owner } of changes) if (!isSimulatedUser(owner.userId)) touched.add(owner.userId);
  });
  const unlisten = work.onInvited((inviterId) => touched.add(inviterId));
  let passedMs = clock.now();
  const look = async (): Promise<void> => {
    const timeMs = await touched.checkAll({
      settled: () => context.ledger.settled(engine.health().durableSequence),
      now: clock.now,
      others: () => work.facts.listPassed(passedMs),
      look: async (userId, pollMs) => {
        await work.tasks.evaluate(userId, pollMs);
        await work.fees.run(userId, pollMs);
      },
    });
    passedMs = timeMs - 1;
  };
  const resume = async (): Promise<void> => {
    await offer();
    await work.claims.resume(clock.now());
    await work.fees.resume(clock.now());
    await work.spring.resume(clock.now());
  };
  const onFailure = (error: unknown): void => log.warn("rewards.work.failed", { error });
  const stops = [
    keepResuming({ clock, everyMs: POLL_MS, resume: look, onFailure }),
    keepResuming({ clock, everyMs: RESUME_MS, resume, onFailure }),
  ];
  return async () => {
    unwatch?.();
    unlisten();
    for (const stop of stops) await stop();
  };
}
