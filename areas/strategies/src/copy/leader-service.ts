// A leader's side: applying with its conditions, review, levels, pausing, closing, the overview and messages to
// followers. States move by compare-and-set; for money the core's own state of the leader counts.
import type { ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import type { RouteRejection } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import {
  type ApplyBody,
  type CopyKind,
  DecidePayload,
  type Identity,
  type LeadBody,
  type LeaderIdentity,
  type ReviewRow,
} from "./contract.ts";
import type { CopyNeeds } from "./needs.ts";
import { describeReviews, type LeaderRecords } from "./record-service.ts";
import type { RecordStore } from "./record-store.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";
import {
  ANNOUNCEMENTS_PER_DAY,
  CLOSED_REST_MS,
  conditionsOf,
  LEVELS,
  levelOf,
  pathOf,
  REJECTED_REST_MS,
  rateText,
  readShare,
  refusalOf,
  SIMULATED_DECIDES_MS,
  TRADES_DAYS,
} from "./rules.ts";
import type { CopyStore, LeaderRow } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, CopyRefusal>>;
type CoreState = "none" | "active" | "paused" | "suspended";

const LEADING: readonly LeaderIdentity[] = ["ACTIVE", "PAUSED", "CLOSING", "SUSPENDED"];
const MAY_APPLY: readonly LeaderIdentity[] = ["NONE", "REJECTED"];
const FOLLOWERS_SHOWN = 1_000;
const REVIEW_STATES: readonly LeaderIdentity[] = ["APPLIED", ...LEADING];

export interface LeaderParts {
  readonly needs: CopyNeeds;
  readonly store: CopyStore;
  readonly records: RecordStore;
  readonly computed: LeaderRecords;
}

export class LeaderService {
  readonly #parts: LeaderParts;

  constructor(parts: LeaderParts) {
    this.#parts = parts;
  }

  async #standing(userId: number, kind: CopyKind, account: number | undefined) {
    const { needs, records } = this.#parts;
    const nowMs = needs.now();
    const [kycLevel, person, trades, owned] = await Promise.all([
      needs.kycLevelOf(userId),
      needs.findPerson(userId),
      records.countTrades(userId, kind, nowMs - TRADES_DAYS * DAY_MS),
      needs.listAccounts(userId),
    ]);
    const subs = owned.filter(({ book }) => book === "copyF" || book === "copyS").map((one) => one.account);
    const follows = (await records.followsOf(subs)).filter((row) => row.is_active).length;
    const ageMs = person === undefined ? 0 : nowMs - person.sinceMs;
    const equityUnits = account === undefined ? 0n : await this.#equity(kind, account);
    return { kycLevel, ageMs, trades, follows, equityUnits, scale: needs.findCoin()?.scale ?? 6 };
  }

  async #equity(kind: CopyKind, account: number): Promise<bigint> {
    const { needs, records, computed } = this.#parts;
    if (kind === "futures") return computed.equityOf(account);
    let sum = 0n;
    for (const { asset, available_units, frozen_units } of await records.balances(account)) {
      sum += needs.worthUnits(asset, available_units + frozen_units) ?? 0n;
    }
    return sum;
  }

  #accountOf(userId: number, kind: CopyKind): Promise<number | undefined> {
    return this.#parts.needs.findAccount(userId, kind === "futures" ? "copyFLead" : "spot");
  }

  async identity(userId: number, kind: CopyKind): Promise<Identity> {
    const { store, records, computed, needs } = this.#parts;
    const [row, account] = await Promise.all([store.findOwn(userId, kind), this.#accountOf(userId, kind)]);
    const standing = await this.#standing(userId, kind, account);
    const answer = row === undefined ? undefined : await records.leader(row.account);
    const held = row === undefined ? 0n : (await records.sumHeld(row.account)).held;
    const earned = row === undefined ? 0n : await records.sumPaid("leader", row.account);
    const balances = account === undefined ? [] : await records.balances(account);
    const open = account === undefined || kind === "spot" ? [] : await records.positionsOf([account]);
    const coin = needs.findCoin();
    const level = LEVELS.find((one) => one.level === row?.level) ?? levelOf(standing.equityUnits, standing.scale);
    const rests = row !== undefined && row.rest_until_ms > needs.now();
    return {
      state: row?.state ?? "NONE",
      leaderId: row === undefined ? null : String(row.account),
      nickname: row?.nickname ?? "",
      bio: row?.bio ?? "",
      level: level.level,
      shareRate: rateText(answer?.share_rate ?? row?.share_rate ?? 0),
      shareRateMax: rateText(level.shareRate),
      nextShareRate: answer === undefined || answer.next_share_ms === 0 ? null : rateText(answer.next_share_rate),
      nextShareFromMs: answer === undefined || answer.next_share_ms === 0 ? null : answer.next_share_ms,
      followers: answer?.followers ?? 0,
      followersMax: answer?.followers_max ?? level.followers,
      equity: computed.money(standing.equityUnits),
      available: computed.money(balances.find(({ asset }) => asset === coin?.asset)?.available_units ?? 0n),
      earned: computed.money(earned),
      held: computed.money(held),
      reason: row?.reason ?? "",
      restUntilMs: rests ? row.rest_until_ms : null,
      positions: open.flatMap((one) => computed.describeOwn(one, one.account, row?.nickname ?? "") ?? []),
      conditions: conditionsOf(standing),
    };
  }

  async apply(userId: number, kind: CopyKind, body: ApplyBody): Outcome<Identity> {
    const { store, needs } = this.#parts;
    const nowMs = needs.now();
    const [known, account] = await Promise.all([store.findOwn(userId, kind), this.#accountOf(userId, kind)]);
    if (known !== undefined && !MAY_APPLY.includes(known.state)) return refused("LEAD_APPLIED");
    if (known !== undefined && known.rest_until_ms > nowMs) return refused("LEAD_RESTS");
    const standing = await this.#standing(userId, kind, account);
    if (account === undefined || conditionsOf(standing).some(({ isMet }) => !isMet)) return refused("LEAD_CONDITIONS");
    const level = levelOf(standing.equityUnits, standing.scale);
    const share = readShare(body.shareRate, level);
    if (!share.done) return share;
    const row: LeaderRow = {
      account,
      user_id: userId,
      kind,
      nickname: body.nickname,
      bio: body.bio.trim(),
      state: "APPLIED",
      level: level.level,
      share_rate: share.value,
      is_simulated: false,
      reason: "",
      applied_ms: nowMs,
      decided_ms: 0,
      rest_until_ms: 0,
    };
    const applied = await store.apply(row, MAY_APPLY);
    if (applied === "taken") return refused("NICKNAME_TAKEN");
    return applied === "done" ? done(await this.identity(userId, kind)) : refused("LEAD_APPLIED");
  }

  /** Withdraws an application, or stops leading as soon as nothing is open. */
  async leave(userId: number, kind: CopyKind): Outcome<Identity> {
    const { store } = this.#parts;
    const row = await store.findOwn(userId, kind);
    if (row === undefined || !["APPLIED", "ACTIVE", "PAUSED"].includes(row.state)) return refused("NOT_LEADING");
    if (row.state === "APPLIED") {
      await store.step(row.account, ["APPLIED"], { state: "NONE" });
      return done(await this.identity(userId, kind));
    }
    const paused = await this.#set(row, "paused");
    if (!paused.done) return paused;
    if (!(await store.step(row.account, ["ACTIVE", "PAUSED"], { state: "CLOSING" }))) return refused("LEAD_STATE");
    await this.#close({ ...row, state: "CLOSING" });
    return done(await this.identity(userId, kind));
  }

  async #close(row: LeaderRow): Promise<void> {
    const ended = await this.#set(row, "none", true);
    if (!ended.done) return;
    const rest_until_ms = this.#parts.needs.now() + CLOSED_REST_MS;
    await this.#parts.store.step(row.account, ["CLOSING"], { state: "NONE", rest_until_ms });
  }

  async change(userId: number, kind: CopyKind, body: LeadBody): Outcome<Identity> {
    const { store } = this.#parts;
    const row = await store.findOwn(userId, kind);
    if (row === undefined || !["ACTIVE", "PAUSED"].includes(row.state)) return refused("NOT_LEADING");
    const level = LEVELS.find((one) => one.level === row.level) ?? LEVELS[0];
    const share = body.shareRate === undefined ? done(row.share_rate) : readShare(body.shareRate, level);
    if (!share.done) return share;
    const state = body.state ?? (row.state === "ACTIVE" ? "active" : "paused");
    const set = await this.#set({ ...row, share_rate: share.value }, state);
    if (!set.done) return set;
    const values = {
      state: state === "active" ? ("ACTIVE" as const) : ("PAUSED" as const),
      share_rate: share.value,
      bio: body.bio?.trim() ?? row.bio,
    };
    if (!(await store.step(row.account, ["ACTIVE", "PAUSED"], values))) return refused("LEAD_STATE");
    if (share.value !== row.share_rate) await this.#announceShare(row, share.value);
    return done(await this.identity(userId, kind));
  }

  /** Only an operator's decision lifts a suspension, by the core or by an operator. */
  async #set(row: LeaderRow, state: CoreState, lifts = false): Outcome<null> {
    const { needs, computed } = this.#parts;
    const coin = needs.findCoin();
    const level = LEVELS.find((one) => one.level === row.level) ?? LEVELS[0];
    if (coin === undefined) return refused("LEDGER_AWAY");
    const ack = await needs.submit({
      kind: "setLeader",
      account: row.account,
      state,
      unlessSuspended: !lifts && state !== "suspended",
      asset: coin.asset,
      shareRate: Math.min(row.share_rate, level.shareRate),
      followersMax: level.followers,
    });
    if (!ack.done) return refused(refusalOf(ack.code));
    await needs.settled(ack.sequence);
    computed.remove(row.account);
    return done(null);
  }

  async #announceShare(row: LeaderRow, rate: number): Promise<void> {
    const answer = await this.#parts.records.leader(row.account);
    if (answer === undefined || answer.next_share_ms === 0) return;
    const from = new Date(answer.next_share_ms).toISOString().slice(0, 10);
    await this.#notifyFollowers(row, {
      kind: "copy-lead",
      reference: `share:${row.account}:${answer.next_share_ms}`,
      title: `${row.nickname} changes the profit share`,
      body: `From ${from} on it is ${rateText(rate)} of new profit. Until then you may leave without paying it.`,
      path: pathOf(row),
    });
  }

  async #notifyFollowers(row: LeaderRow, notice: Parameters<CopyNeeds["notify"]>[1]): Promise<number> {
    const followers = await this.#parts.records.followersOf(row.account, FOLLOWERS_SHOWN);
    for (const { user_id } of followers) await this.#parts.needs.notify(user_id, notice);
    return followers.length;
  }

  async announce(userId: number, kind: CopyKind, text: string, clientId: string): Outcome<{ done: boolean }> {
    const { store, needs } = this.#parts;
    const row = await store.findOwn(userId, kind);
    if (row === undefined || !["ACTIVE", "PAUSED"].includes(row.state)) return refused("NOT_LEADING");
    const nowMs = needs.now();
    const wanted = { leader: row.account, client_id: clientId, text: text.trim(), told_ms: nowMs };
    const kept = await store.announce(wanted, nowMs - (nowMs % DAY_MS), ANNOUNCEMENTS_PER_DAY);
    if (kept === undefined) return refused("ANNOUNCED_TOO_OFTEN", "3600");
    // Repeated after a lost response it reaches the remaining ones: a notice is sent once by its reference.
    await this.#notifyFollowers(row, {
      kind: "copy-lead",
      reference: `announce:${row.account}:${clientId}`,
      title: `${row.nickname} to his followers`,
      body: kept.text,
      path: pathOf(row),
    });
    return done({ done: true });
  }

  // ---- Review

  async listForReview(state: LeaderIdentity | undefined): Promise<ReviewRow[]> {
    const { store } = this.#parts;
    const [rows, flags] = await Promise.all([
      store.listBy(state === undefined ? REVIEW_STATES : [state]),
      store.countWash(),
    ]);
    return describeReviews(rows, flags);
  }

  find(account: number): Promise<LeaderRow | undefined> {
    return this.#parts.store.find(account);
  }

  /** One person may reject or suspend a leader; followers keep what they have. */
  async stop(account: number, action: "reject" | "suspend", reason: string): Outcome<null> {
    const { store, needs } = this.#parts;
    const row = await store.find(account);
    if (row === undefined) return refused("LEADER_UNKNOWN");
    const nowMs = needs.now();
    const decided = { reason, decided_ms: nowMs };
    if (action === "reject") {
      const values = { ...decided, state: "REJECTED" as const, rest_until_ms: nowMs + REJECTED_REST_MS };
      if (!(await store.step(account, ["APPLIED"], values))) return refused("LEAD_STATE");
    } else {
      if (!(await store.step(account, ["ACTIVE", "PAUSED", "CLOSING"], { ...decided, state: "SUSPENDED" })))
        return refused("LEAD_STATE");
      const set = await this.#set(row, "suspended");
      if (!set.done) return set;
    }
    await this.#publishToOwner(row, action === "reject" ? "was not accepted" : "was suspended", reason, nowMs);
    return done(null);
  }

  async #publishToOwner(row: LeaderRow, what: string, reason: string, nowMs: number): Promise<void> {
    if (row.is_simulated) return;
    await this.#parts.needs.notify(row.user_id, {
      kind: "copy-lead",
      reference: `lead:${row.account}:${nowMs}`,
      title: `Your leading of ${row.kind} ${what}`,
      body: reason === "" ? "You are on the list of leaders from now on." : reason,
      path: row.kind === "spot" ? "/copy/spot/lead" : "/copy/lead",
    });
  }

  decideKind(): ProposalKind<typeof DecidePayload, CopyRefusal> {
    return {
      kind: "copy.leader",
      permission: "copy.review",
      needsFreshProof: false,
      expiresAfterMs: 7 * DAY_MS,
      payload: DecidePayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      check: ({ leaderId, action }) => this.#check(Number(leaderId), action),
      describe: ({ leaderId, user, action }) =>
        `${action === "approve" ? "Let" : "Let again"} account ${user} lead from book ${leaderId}`,
      execute: ({ leaderId, action }) => this.#decide(Number(leaderId), action),
    };
  }

  async #check(account: number, action: "approve" | "resume"): Promise<RouteRejection<CopyRefusal> | undefined> {
    const row = await this.#parts.store.find(account);
    const code = row === undefined ? "LEADER_UNKNOWN" : fromOf(action) === row.state ? undefined : "LEAD_STATE";
    if (code === undefined) return undefined;
    return { code, status: REFUSALS[code][0], message: REFUSALS[code][1] };
  }

  /** Repeated after a crash it is the same: the core's state is set first, ours by compare-and-set after it. */
  async #decide(account: number, action: "approve" | "resume"): Promise<ProposalEnd> {
    const { store, needs } = this.#parts;
    const row = await store.find(account);
    if (row === undefined) return { end: "refused", code: "LEADER_UNKNOWN", message: REFUSALS.LEADER_UNKNOWN[1] };
    if (row.state === "ACTIVE") return { end: "done", outcome: `leader ${account}` };
    if (row.state !== fromOf(action)) return { end: "refused", code: "LEAD_STATE", message: REFUSALS.LEAD_STATE[1] };
    const set = await this.#set(row, "active", true);
    if (!set.done) {
      if (set.code === "LEDGER_AWAY") return { end: "later" };
      return { end: "refused", code: set.code, message: REFUSALS[set.code][1] };
    }
    const nowMs = needs.now();
    await store.step(account, [row.state], { state: "ACTIVE", decided_ms: nowMs, reason: "" });
    await this.#publishToOwner(row, action === "approve" ? "was accepted" : "goes on", "", nowMs);
    return { end: "done", outcome: `leader ${account}` };
  }

  /**
   * A change interrupted between the core and the table counts: money follows the core's state. To be called once the
   * tables hold everything the core did; rows that change during it are left as they are.
   */
  async agree(): Promise<void> {
    const { store, records } = this.#parts;
    for (const row of await store.listBy(["ACTIVE", "PAUSED"])) {
      const answer = await records.leader(row.account);
      if (answer?.state === "suspended") await this.#takeSuspended(row);
      if (answer === undefined || (answer.state !== "active" && answer.state !== "paused")) continue;
      const share_rate = answer.next_share_ms === 0 ? answer.share_rate : answer.next_share_rate;
      const state = answer.state === "active" ? ("ACTIVE" as const) : ("PAUSED" as const);
      if (state === row.state && share_rate === row.share_rate) continue;
      if ((await store.agree(row, { state, share_rate })) && share_rate !== row.share_rate)
        await this.#announceShare(row, share_rate);
    }
  }

  /** The core has suspended the leader: their fills strayed from the fair price at the cost of their followers. */
  async #takeSuspended(row: LeaderRow): Promise<void> {
    const { store, needs } = this.#parts;
    const nowMs = needs.now();
    const decided = { reason: STRAYED, decided_ms: nowMs, state: "SUSPENDED" as const };
    if (!(await store.step(row.account, ["ACTIVE", "PAUSED"], decided))) return;
    await this.#publishToOwner(row, "was suspended", STRAYED, nowMs);
    await this.#notifyFollowers(row, {
      kind: "copy-lead",
      reference: `strayed:${row.account}:${nowMs}`,
      title: `${row.nickname} is suspended`,
      body: "Fills lay too far from the fair price and were not copied. What you hold stays with you; you may close it at any time.",
      path: pathOf(row),
    });
  }

  /** Resumes interrupted closings and suspensions, lets the simulated reviewer decide. */
  async resume(): Promise<void> {
    const { store, needs, records } = this.#parts;
    for (const row of await store.listBy(["ACTIVE", "PAUSED"])) {
      if ((await records.leader(row.account))?.state === "suspended") await this.#takeSuspended(row);
    }
    for (const row of await store.listBy(["CLOSING"])) await this.#close(row);
    for (const row of await store.listBy(["SUSPENDED"])) {
      if ((await records.leader(row.account))?.state !== "suspended") await this.#set(row, "suspended");
    }
    if (!needs.hasSimulatedReviewer) return;
    const nowMs = needs.now();
    for (const row of await store.listBy(["APPLIED"])) {
      if (nowMs - row.applied_ms >= SIMULATED_DECIDES_MS) await this.#decide(row.account, "approve");
    }
  }

  /** Levels rise and fall with the assets led; a share above the new level is reduced, announced as any other. */
  async reviseLevels(): Promise<void> {
    const { store, computed, needs } = this.#parts;
    const scale = needs.findCoin()?.scale ?? 6;
    for (const row of await store.listBy(["ACTIVE", "PAUSED"])) {
      const level = levelOf(await computed.equityOf(row.account), scale);
      if (level.level === row.level) continue;
      const share_rate = Math.min(row.share_rate, level.shareRate);
      const values = { level: level.level, share_rate };
      const set = await this.#set({ ...row, ...values }, row.state === "ACTIVE" ? "active" : "paused");
      // The core first: interrupted between the two, the next day's round finds the old level and does both again.
      if (!set.done || !(await store.step(row.account, [row.state], values))) continue;
      if (share_rate !== row.share_rate) await this.#announceShare(row, share_rate);
    }
  }
}

const STRAYED =
  "Your fills lay too far from the fair price, at the cost of those who copy them. Nothing more is copied until the exchange has looked at it.";
const fromOf = (action: "approve" | "resume"): LeaderIdentity => (action === "approve" ? "APPLIED" : "SUSPENDED");
