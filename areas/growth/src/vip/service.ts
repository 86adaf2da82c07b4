// Levels in force: sets the rates of changed levels in the core, keeps the history, and grants trial levels when two
// operators agree. The level shown is the one whose rates the core applies.
import type { ProposalCall, ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import type { RouteRejection } from "@clockwork/host/route";
import { DAY_MS } from "@clockwork/kit/time";
import { TrialPayload } from "./contract.ts";
import type { VipFees, VipNeeds } from "./needs.ts";
import { REFUSALS, type TrialRefusal } from "./refusals.ts";
import { levelNow, tierOf } from "./rules.ts";
import type { VipRow, VipStore } from "./store.ts";

export const VIP_PERMISSION = "vip.manage";
/** Concurrent commands. */
const ABREAST = 32;

/** Rates of a level, or the general ones where those are lower; the lowest pays the rates of each market. */
export function feesOf(level: number, everybody: VipFees): VipFees {
  if (level === 0) return { spotMakerRate: -1, spotTakerRate: -1, perpMakerRate: -1, perpTakerRate: -1 };
  const { spot, perpetual } = tierOf(level);
  return {
    spotMakerRate: Math.min(spot.maker, everybody.spotMakerRate),
    spotTakerRate: Math.min(spot.taker, everybody.spotTakerRate),
    perpMakerRate: Math.min(perpetual.maker, everybody.perpMakerRate),
    perpTakerRate: Math.min(perpetual.taker, everybody.perpTakerRate),
  };
}

const isSame = (left: VipFees, right: VipFees): boolean =>
  left.spotMakerRate === right.spotMakerRate &&
  left.spotTakerRate === right.spotTakerRate &&
  left.perpMakerRate === right.perpMakerRate &&
  left.perpTakerRate === right.perpTakerRate;

export class VipService {
  readonly #store: VipStore;
  readonly #needs: VipNeeds;
  #settling: Promise<void> = Promise.resolve();
  /** The general fees when levels were last compared with them. */
  #everybody: VipFees | undefined;
  /** Of users above the lowest. */
  readonly #levels = new Map<number, number>();

  constructor({ store, needs }: { readonly store: VipStore; readonly needs: VipNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** Once, before the first request. */
  async load(): Promise<void> {
    for (const { user_id, fees_level } of await this.#store.list())
      if (fees_level > 0) this.#levels.set(user_id, fees_level);
  }

  /** The level in force, synchronously. */
  levelOf(userId: number): number {
    return this.#levels.get(userId) ?? 0;
  }

  orderFactorOf(userId: number): number {
    return tierOf(this.levelOf(userId)).orderFactor;
  }

  /** One round after another: two concurrent rounds could set an older level last. */
  settle(): Promise<void> {
    const next = this.#settling.then(() => this.#settle());
    this.#settling = next.catch(() => undefined);
    return next;
  }

  async #settle(): Promise<void> {
    const timeMs = this.#needs.now();
    await this.#follow();
    const rows = await this.#store.listUnsettled();
    for (let at = 0; at < rows.length; at += ABREAST) {
      await Promise.all(rows.slice(at, at + ABREAST).map((row) => this.#settleOne(row, timeMs)));
    }
  }

  /** The general fees have changed, also while nothing ran: users with a level get the lower of both. */
  async #follow(): Promise<void> {
    const everybody = this.#needs.readGroupFees();
    if (this.#everybody !== undefined && isSame(this.#everybody, everybody)) return;
    const levels = [...this.#levels].filter(([, level]) => level > 0);
    for (const [userId, level] of levels) {
      const fees = feesOf(level, everybody);
      if (isSame(this.#needs.readFees(userId), fees)) continue;
      if (!(await this.#needs.setFees(userId, fees))) return;
    }
    this.#everybody = everybody;
  }

  async #settleOne(row: VipRow, timeMs: number): Promise<void> {
    const trial = { trialLevel: row.trial_level, trialUntilMs: row.trial_until_ms };
    const toLevel = levelNow(row.earned_level, trial, timeMs);
    if (toLevel !== row.fees_level) {
      // Set twice after a crash, the core is unchanged.
      if (!(await this.#needs.setFees(row.user_id, feesOf(toLevel, this.#needs.readGroupFees())))) return;
      const change = {
        user_id: row.user_id,
        at_ms: timeMs,
        from_level: row.fees_level,
        to_level: toLevel,
        cause: causeOf(row, toLevel, timeMs),
      };
      if (!(await this.#store.settle(row, toLevel, change))) return;
      this.#levels.set(row.user_id, toLevel);
      await this.#notify(row, toLevel, timeMs);
    }
    if (row.trial_level > 0 && timeMs >= row.trial_until_ms) await this.#store.endTrial(row);
  }

  #notify(row: VipRow, toLevel: number, timeMs: number): Promise<void> {
    const rises = toLevel > row.fees_level;
    const { withdrawalTenths } = tierOf(toLevel);
    const until = new Date(row.trial_until_ms).toISOString().slice(0, 10);
    const isTrial = toLevel > row.earned_level;
    return this.#needs.notify(
      row.user_id,
      {
        reference: `vip:${row.user_id}:${timeMs}`,
        title: rises ? `You are VIP ${toLevel}` : `Your level is VIP ${toLevel} now`,
        body:
          `Its fees count from now on, and ${Number(withdrawalTenths) / 10} times the daily withdrawal limit.` +
          (isTrial ? ` It is lent to you until ${until}.` : ""),
      },
      timeMs,
    );
  }

  trialKind(): ProposalKind<typeof TrialPayload, TrialRefusal> {
    return {
      kind: "vip.trial",
      permission: VIP_PERMISSION,
      needsFreshProof: false,
      expiresAfterMs: 3 * DAY_MS,
      payload: TrialPayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      check: (payload) => this.#check(payload),
      describe: ({ user, level, days, reason }) =>
        level === 0
          ? `End the trial level of account ${user}: ${reason}`
          : `Lend account ${user} the fees and limits of VIP ${level} for ${days} days: ${reason}`,
      execute: (payload, call) => this.#lease(payload, call),
    };
  }

  async #check({ user, level }: TrialPayload): Promise<RouteRejection<TrialRefusal> | undefined> {
    if (!(await this.#needs.isUser(Number(user)))) {
      return wrong("UNKNOWN_USER", "user");
    }
    const row = await this.#store.find(Number(user));
    if (level === 0 && (row?.trial_level ?? 0) === 0) {
      return wrong("NO_TRIAL", "level");
    }
    if (level > 0 && level <= (row?.earned_level ?? 0)) {
      return wrong("LEVEL_HELD", "level");
    }
    return undefined;
  }

  async #lease(payload: TrialPayload, { reference, timeMs }: ProposalCall): Promise<ProposalEnd> {
    const userId = Number(payload.user);
    const row = await this.#store.find(userId);
    // Started before a crash: the end of the first try is kept.
    if (row?.trial_reference !== reference) {
      const refused = await this.#check(payload);
      if (refused !== undefined) return { end: "refused", code: refused.code, message: refused.message };
      const untilMs = payload.level === 0 ? timeMs : timeMs + payload.days * DAY_MS;
      const level = payload.level === 0 ? (row?.trial_level ?? 0) : payload.level;
      await this.#store.putTrial(userId, level, untilMs, reference);
    }
    await this.settle();
    return { end: "done", outcome: `VIP ${payload.level}` };
  }
}

function causeOf(row: VipRow, toLevel: number, timeMs: number): string {
  if (toLevel > row.fees_level) return toLevel > row.earned_level ? "trial" : "counted";
  return row.trial_level > 0 && timeMs >= row.trial_until_ms ? "trialEnded" : "fallen";
}

const wrong = (code: TrialRefusal, field: string): RouteRejection<TrialRefusal> => {
  const [status, message] = REFUSALS[code];
  return { code, status, message, fields: { [`body.${field}`]: message } };
};
