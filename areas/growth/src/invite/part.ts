// Connects invitations with accounts, devices, prices, the fees the exchange took, jobs and notices. Contains no rules.
import { randomInt } from "node:crypto";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { FEES_ACCOUNT } from "@clockwork/core/protocol/names";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { contactOf } from "@clockwork/identity/users/rules";
import { userStore } from "@clockwork/identity/users/store";
import { maskAccountName } from "@clockwork/kit/account";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import type { AccountResolver } from "@clockwork/trading/ledger/account-resolver";
import { settledAt } from "@clockwork/trading/ledger/settled";
import type { GrowthPorts } from "../ports.ts";
import { INVITE_PERMISSION, InviteDesk } from "./desk-service.ts";
import type { InviteNeeds, InvitePerson } from "./needs.ts";
import { listInvited, listSharers, sharesWith } from "./people.ts";
import { RebateService } from "./rebate-service.ts";
import { inviteRoutes } from "./routes.ts";
import { InviteService } from "./service.ts";
import { inviteStore } from "./store.ts";
import { InviteView } from "./view-service.ts";
import { type InviteViewStore, inviteViewStore } from "./view-store.ts";

const RESUME_MS = 10_000;
/** Between two bursts of payments: several times the length of one, and a day's are still paid in seconds. */
const REST_MS = 40;
/** Fewer do not justify a process. */
const ROWS_MIN = 2_000;
/** Accounts opened at once for users who are paid for the first time. */
const OPENED_AT_ONCE = 16;

export interface Invite extends Part {
  /** For rewards: who joined, how many joined or traded since a time, and how many are verified. */
  readonly friends: Pick<InviteService, "onJoined"> &
    Pick<InviteViewStore, "countSince"> & {
      countVerified(inviterId: number, fromMs: number, toMs: number): Promise<number>;
    };
  /** Set by rewards, which are made later: the fees they return are not shared. */
  readonly setFeesBack: (listFeesBack: InviteNeeds["listFeesBack"]) => void;
}

/** Rewards need a few; the thousandth friend changes no answer. */
const COUNTED_MAX = 1_000;

export function invitePart(context: PartContext, ports: Pick<GrowthPorts, "openHours">): Invite {
  const { database, accounts, jobs, clock, log, engine, permissions } = context;
  permissions.add({ name: INVITE_PERMISSION, roles: ["support"] });
  accounts.notices.register({ kind: "invite", group: "account", defaults: ["live", "letter"] });
  accounts.notices.register({ kind: "rebates", group: "wallet", defaults: ["live"], isFleeting: true });
  const views = inviteViewStore(database.kysely);
  let listFeesBack: InviteNeeds["listFeesBack"] = async () => [];
  const needs: InviteNeeds = { ...needsOf(context, ports), listFeesBack: (...requested) => listFeesBack(...requested) };
  const parts = { store: inviteStore(database.kysely), views, needs };
  const invite = new InviteService(parts);
  const rebates = new RebateService(parts, invite);
  const desk = new InviteDesk(parts, invite);
  jobs.add({
    name: "invite.rebates",
    schedule: { everyMs: HOUR_MS },
    missed: "latest",
    run: ({ dueMs }) => rebates.run(dueMs),
  });
  const resume = async (): Promise<void> => {
    await invite.noteFriends();
    await rebates.pay();
  };
  return {
    friends: {
      onJoined: (listener) => invite.onJoined(listener),
      countSince: views.countSince,
      countVerified: async (inviterId, fromMs, toMs) => {
        await invite.noteFriends();
        const counting = (await views.listFriends(inviterId, undefined, COUNTED_MAX)).filter(
          ({ state, joined_ms }) => state === "counts" && joined_ms >= fromMs && joined_ms < toMs,
        );
        const people = await parts.needs.describePeople(counting.map((row) => row.user_id));
        return [...people.values()].filter(({ isVerified }) => isVerified).length;
      },
    },
    setFeesBack: (list) => {
      listFeesBack = list;
    },
    routes: inviteRoutes({
      view: new InviteView(parts, invite),
      invite,
      desk,
      judge: accounts.proposals.register(desk.judgeKind()),
    }),
    ...runs(() => {
      if (!engine.isThere) return () => undefined;
      const onFailure = (error: unknown): void => log.warn("invite.resume.failed", { error });
      return keepResuming({ clock, everyMs: RESUME_MS, resume, onFailure });
    }),
  };
}

function needsOf(context: PartContext, ports: Pick<GrowthPorts, "openHours">): Omit<InviteNeeds, "listFeesBack"> {
  const { market, engine, accounts, clock, ledger, database, log } = context;
  const users = userStore(database.kysely);
  return {
    now: clock.now,
    listInvited: (after, limit) => listInvited(database.kysely, after, limit),
    listSharing: accounts.listSharing,
    sharesWith: (userId, among) => sharesWith(database.kysely, userId, among),
    listSharers: (userIds) => listSharers(database.kysely, userIds),
    ownCode: async (userId) => (await users.find(userId))?.invite_code,
    isOwnCode: async (code) => (await users.findInviter(code)) !== undefined,
    async describePeople(userIds) {
      const people = new Map<number, InvitePerson>();
      for (const userId of new Set(userIds)) {
        const row = await users.find(userId);
        if (row === undefined) continue;
        const isVerified = (await accounts.kyc.levelOf(userId, clock.now())) > 0;
        people.set(userId, { nickname: row.nickname, masked: maskAccountName(contactOf(row)), isVerified });
      }
      return people;
    },
    worthUnits: (asset, amountUnits) => market.pairs.worthUnits(asset, amountUnits),
    settledAt: (timeMs) => settledAt(engine, timeMs),
    meet: (receiverIds) => meetReceivers(ledger.accounts, receiverIds),
    async pay(receiverId, legs, reference) {
      const to = ledger.accounts.recall(receiverId, "spot") ?? (await ledger.accounts.open(receiverId, "spot"));
      if (to === undefined) return false;
      const ack = await engine.submit({
        kind: "settle",
        reference,
        legs: legs.map((leg) => ({
          from: FEES_ACCOUNT,
          to,
          asset: leg.asset,
          business: "rebate",
          units: toCoreUnits(units(leg.units)),
        })),
      });
      return ack.done;
    },
    beside: besideOf(database, ports),
    giveWay: () => setImmediate(),
    rest: () => sleep(REST_MS),
    randomBelow: randomInt,
    async notify(userId, { kind, ...notice }, timeMs) {
      await accounts.notices.notify(userId, { kind, path: "/invite", ...notice }, timeMs);
    },
    report: (fact, fields) => log.warn(fact, fields),
  };
}

function besideOf(
  { aside }: PartContext["database"],
  { openHours }: Pick<GrowthPorts, "openHours">,
): InviteNeeds["beside"] {
  return aside === undefined ? undefined : { rowsMin: ROWS_MIN, open: () => openHours(aside) };
}

/** Read with one statement; missing accounts are opened in small groups: hundreds at once blocked other calls. */
async function meetReceivers(accounts: AccountResolver, receiverIds: readonly number[]): Promise<void> {
  const unknown = (): number[] =>
    [...new Set(receiverIds)].filter((userId) => accounts.recall(userId, "spot") === undefined);
  await accounts.meet(unknown());
  const without = unknown();
  for (let at = 0; at < without.length; at += OPENED_AT_ONCE) {
    await Promise.all(without.slice(at, at + OPENED_AT_ONCE).map((userId) => accounts.open(userId, "spot")));
  }
}
