// Operators' actions on spring cards: an activity takes two people, closing and opening it one. No two run at once, so
// that cards always belong to the activity shown.
import type { ProposalKind } from "@clockwork/host/proposal";
import type { RouteRejection } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { ActivityPayload, type SpringReport } from "./contract.ts";
import type { SpringNeeds } from "./needs.ts";
import { DESK_REFUSALS, type DeskRefusal } from "./refusals.ts";
import { readPrizes, usdtText, usdtUnits, writePrizes } from "./rules.ts";
import type { ActivityRow, SpringStore } from "./store.ts";

/** A campaign's money is its operators': the same people. */
export const SPRING_PERMISSION = "rewards.manage";

const wrong = (code: DeskRefusal, field: string): RouteRejection<DeskRefusal> => {
  const [status, message] = DESK_REFUSALS[code];
  return { code, status, message, fields: { [`body.${field}`]: message } };
};

export class SpringDesk {
  readonly #store: SpringStore;
  readonly #needs: Pick<SpringNeeds, "isCampaign">;

  constructor(parts: { readonly store: SpringStore; readonly needs: Pick<SpringNeeds, "isCampaign"> }) {
    this.#store = parts.store;
    this.#needs = parts.needs;
  }

  activityKind(): ProposalKind<typeof ActivityPayload, DeskRefusal> {
    return {
      kind: "spring.activity",
      permission: SPRING_PERMISSION,
      needsFreshProof: false,
      expiresAfterMs: 3 * DAY_MS,
      payload: ActivityPayload,
      beneficiariesOf: () => [],
      check: async (payload) => {
        const row = await this.#read(payload);
        if ("code" in row) return row;
        if ((await this.#store.findActivityById(row.activity_id)) !== undefined) {
          return wrong("ACTIVITY_EXISTS", "activityId");
        }
        return (await this.#store.findOverlap(row)) === undefined
          ? undefined
          : wrong("ACTIVITY_OVERLAPS", "startsAtMs");
      },
      describe: ({ activityId, campaignId, name, prizes, volumePerDraw }) =>
        `Open the spring cards ${activityId} (${name}), paid by ${campaignId}: ` +
        `${prizes.map(({ count, amount }) => `${count} × ${amount} USDT`).join(", ")}; a draw for ${volumePerDraw} USDT`,
      execute: async (payload) => {
        const row = await this.#read(payload);
        if ("code" in row) return { end: "refused", code: row.code, message: row.message };
        const refusal = await this.#store.openActivity(row);
        // Started before a crash: it exists already, as approved.
        if (refusal === undefined || refusal === "ACTIVITY_EXISTS") {
          return { end: "done", outcome: `spring cards ${row.activity_id}` };
        }
        return { end: "refused", code: refusal, message: DESK_REFUSALS[refusal][1] };
      },
    };
  }

  /** An activity as it is stored, or its validation error. */
  async #read(payload: ActivityPayload): Promise<ActivityRow | RouteRejection<DeskRefusal>> {
    if (!(await this.#needs.isCampaign(payload.campaignId))) return wrong("CAMPAIGN_UNKNOWN", "campaignId");
    if (payload.endsAtMs <= payload.startsAtMs) return wrong("INVALID_TIMES", "endsAtMs");
    const volume = usdtUnits(payload.volumePerDraw);
    if (volume === undefined || volume < 1n) return wrong("INVALID_AMOUNT", "volumePerDraw");
    const prizes = payload.prizes.map(({ count, amount }) => ({ count, units: usdtUnits(amount) ?? 0n }));
    if (prizes.some(({ units }) => units < 1n)) return wrong("INVALID_AMOUNT", "prizes");
    return {
      activity_id: payload.activityId,
      campaign_id: payload.campaignId,
      name: payload.name,
      starts_ms: payload.startsAtMs,
      ends_ms: payload.endsAtMs,
      volume_units: volume,
      draws_max: payload.drawsPerDayMax,
      prizes: writePrizes(prizes),
      is_open: true,
      is_simulated: false,
    };
  }

  /** Draws under way continue when an activity is closed: they were promised. */
  async open(activityId: string, isOpen: boolean): Promise<Result<null, DeskRefusal>> {
    const refusal = await this.#store.setOpen(activityId, isOpen);
    return refusal === undefined ? done(null) : refused(refusal);
  }

  async report(): Promise<SpringReport> {
    const [activities, counts] = await Promise.all([this.#store.listActivities(), this.#store.countDraws()]);
    return {
      activities: activities.map((row) => {
        const { cards, movements, wonUnits } = counts.get(row.activity_id) ?? { cards: 0, movements: 0, wonUnits: 0n };
        return {
          activityId: row.activity_id,
          campaignId: row.campaign_id,
          name: row.name,
          startsAtMs: row.starts_ms,
          endsAtMs: row.ends_ms,
          isOpen: row.is_open,
          isSimulated: row.is_simulated,
          volumePerDraw: usdtText(row.volume_units),
          drawsPerDayMax: row.draws_max,
          prizes: readPrizes(row.prizes).map(({ count, units }) => ({ count, amount: usdtText(units) })),
          cards,
          movements,
          won: usdtText(wonUnits),
        };
      }),
    };
  }
}
