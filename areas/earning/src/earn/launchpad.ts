// Connects launches with the ledger, public seeds, operators, notices and the clock. Contains no rules.
import { createHash, randomBytes } from "node:crypto";
import { type Part, runs } from "@clockwork/host/part";
import type { ProposalKind } from "@clockwork/host/proposal";
import { keepResuming } from "@clockwork/host/resume-loop";
import { DAY_MS, SECOND_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { seedAfter } from "@clockwork/trading/seeds/public-seed";
import { sql } from "kysely";
import { LAUNCH_PERMISSION } from "../launchdesk/rules.ts";
import { LaunchBook } from "../launchpad/book-service.ts";
import { StopPayload } from "../launchpad/contract.ts";
import { DrawService, type LaunchParts } from "../launchpad/draw-service.ts";
import { FlashService } from "../launchpad/flash-service.ts";
import type { LaunchNeeds } from "../launchpad/needs.ts";
import type { LaunchRefusal } from "../launchpad/refusals.ts";
import { launchRoutes } from "../launchpad/routes.ts";
import { USDT } from "../launchpad/rules.ts";
import { LaunchService } from "../launchpad/service.ts";
import { launchStore } from "../launchpad/store.ts";
import { launchDefaults } from "./default-launches.ts";
import { drawNeeds } from "./draw-thread.ts";
import type { EarnBooks } from "./earn-books.ts";
import { deskRoutes } from "./launch-desk.ts";
import { LaunchParticipants } from "./launch-participants.ts";

const NOTICE = "launchpad";
const RUN_MS = 5 * SECOND_MS;

export function launchpadPart(context: PartContext, books: EarnBooks): Part {
  const { database, accounts, jobs, clock, log, permissions, engine, isTestMoney, marketMode } = context;
  permissions.add({ name: LAUNCH_PERMISSION, roles: [] });
  accounts.notices.register({ kind: NOTICE, group: "products", defaults: ["live", "letter"] });
  const store = launchStore(database.kysely);
  const needs = needsOf(context, books);
  const book = new LaunchBook(needs);
  const flash = new FlashService({ store, needs, book });
  const parts: LaunchParts = { store, needs, book, flash };
  const draws = new DrawService(parts);
  const launches = new LaunchService(parts, draws);
  const participants = new LaunchParticipants(store, launches);
  const hasDefaults = isTestMoney && marketMode === "simulated";
  jobs.add({ name: "launchpad.snapshot", schedule: { dailyAt: "00:00" }, run: ({ dueMs }) => draws.snapshot(dueMs) });
  return {
    routes: [
      ...launchRoutes(launches, accounts.proposals.register(stopKind(parts, draws))),
      ...deskRoutes(context, books, parts),
    ],
    ...runs(() => {
      if (!engine.isThere) return () => undefined;
      const resume = async (): Promise<void> => {
        if (hasDefaults) await launchDefaults(context, books, store);
        if (hasDefaults) await participants.join(clock.now());
        await launches.resume();
        await flash.resume(clock.now());
        await draws.run(clock.now());
      };
      const onFailure = (error: unknown): void => log.warn("launchpad.run.failed", { error });
      return keepResuming({ clock, everyMs: RUN_MS, resume, onFailure });
    }),
  };
}

function stopKind({ store }: LaunchParts, draws: DrawService): ProposalKind<typeof StopPayload, LaunchRefusal> {
  return {
    kind: "launchpad.stop",
    permission: LAUNCH_PERMISSION,
    needsFreshProof: false,
    expiresAfterMs: 3 * DAY_MS,
    payload: StopPayload,
    beneficiariesOf: () => [],
    check: async ({ projectId }) => {
      const project = await store.findProject(projectId);
      if (project?.state === "ACTIVE") return undefined;
      return { code: "PROJECT_UNKNOWN", status: 404, message: "There is no such launch under way." };
    },
    describe: ({ projectId, reason }) => `End the launch ${projectId} and refund everybody: ${reason}`,
    execute: async ({ projectId }, { timeMs }) => {
      const end = await draws.stop(projectId, timeMs);
      if (end === "later") return { end: "later" };
      if (end === "done") return { end: "done", outcome: projectId };
      return { end: "refused", code: "PROJECT_UNKNOWN", message: "The launch has ended." };
    },
  };
}

function needsOf(context: PartContext, books: EarnBooks): LaunchNeeds {
  const { engine, market, clock, log, accounts } = context;
  return {
    now: clock.now,
    submit: engine.submit,
    findAsset: (symbol) => market.pairs.findAsset(symbol)?.asset,
    userAccount: (userId) => books.user(userId, "spot"),
    saleAccount: (sub) => books.house("sale", sub),
    escrowAccount: (sub) => books.house("launchEscrow", sub),
    freeUnits: async (account, asset) => (await books.read(account, asset)).freeUnits,
    levelOf: books.levelOf,
    listHolders: (leastUnits) => listHolders(context, leastUnits),
    sequence: () => engine.health().sequence,
    seedAfter: (sequence) => seedAfter(context, sequence),
    ...drawNeeds,
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    randomId: () => randomBytes(8).toString("hex"),
    notify: async (userId, notice, timeMs) => {
      await accounts.notices.notify(userId, { kind: NOTICE, ...notice }, timeMs);
    },
    report: (fact, fields) => log.warn(fact, fields),
  };
}

/** Spot and earn of all users with at least this much USDT, from the tables. */
async function listHolders({ database, market }: PartContext, leastUnits: bigint) {
  const asset = market.pairs.findAsset(USDT)?.asset ?? 0;
  const rows = await database.kysely
    .$extendTables<{
      engine_accounts: { account: number; user_id: number; book: string };
      engine_balances: { account: number; asset: number; available_units: bigint; frozen_units: bigint };
    }>()
    .selectFrom("engine_accounts")
    .innerJoin("engine_balances", "engine_balances.account", "engine_accounts.account")
    .select(["user_id", sql<string>`cast(sum(available_units + frozen_units) as text)`.as("held")])
    .where("book", "in", ["spot", "earn"])
    .where("asset", "=", asset)
    .groupBy("user_id")
    .execute();
  return rows
    .map(({ user_id, held }) => ({ userId: user_id, heldUnits: BigInt(held) }))
    .filter(({ heldUnits }) => heldUnits >= leastUnits);
}
