// The wire contract of recurring buys. Amounts are exact decimal text in USDT, weights whole percents, times UTC. The
// only file of the slice a browser may import.
import { PLAN_RHYTHMS } from "@clockwork/kit/earn/schedule";
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const DecimalText = Type.String();
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const PlanId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const PLAN_SOURCES = ["spot", "funding", "flexible"] as const;
export type PlanSource = (typeof PLAN_SOURCES)[number];

const coin = Type.Object(
  { asset: AssetCode, weight: Type.Integer({ minimum: 1, maximum: 100 }) },
  { additionalProperties: false },
);
const what = {
  coins: Type.Array(coin, { minItems: 1, maxItems: 5 }),
  /** In USDT, each time. */
  amount: AmountText,
  rhythm: Type.Enum(PLAN_RHYTHMS),
  minuteOfDay: Type.Integer({ minimum: 0, maximum: 1_439 }),
  /** 1 Monday to 7 Sunday; only for weekly plans. */
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
  /** Days a month does not have are its last. */
  monthDay: Type.Integer({ minimum: 1, maximum: 31 }),
};
const plan = {
  ...what,
  name: Type.String({ minLength: 1, maxLength: 40, pattern: "\\S" }),
  /** Where the money comes from, in this order. */
  sources: Type.Array(Type.Enum(PLAN_SOURCES), { minItems: 1, maxItems: 3 }),
};
export const CreateBody = Type.Object(
  { ...plan, clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }) },
  { additionalProperties: false },
);
export type CreateBody = Static<typeof CreateBody>;
export const UpdateBody = Type.Object({ ...plan, planId: PlanId }, { additionalProperties: false });
export type UpdateBody = Static<typeof UpdateBody>;
export const PauseBody = Type.Object({ planId: PlanId, isPaused: Type.Boolean() }, { additionalProperties: false });
export const EndBody = Type.Object({ planId: PlanId }, { additionalProperties: false });
export const RunsQuery = Type.Object({
  planId: PlanId,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export const PreviewBody = Type.Object(what, { additionalProperties: false });
export type PreviewBody = Static<typeof PreviewBody>;

export const Plan = Type.Object({
  planId: Type.String(),
  name: Type.String(),
  coins: Type.Array(Type.Object({ asset: Type.String(), weight: Type.Integer() })),
  amount: DecimalText,
  rhythm: Type.Enum(PLAN_RHYTHMS),
  minuteOfDay: Type.Integer(),
  weekday: Type.Integer(),
  monthDay: Type.Integer(),
  sources: Type.Array(Type.Enum(PLAN_SOURCES)),
  state: Type.Enum(["RUNNING", "PAUSED", "ENDED"]),
  skips: Type.Integer(),
  nextRunMs: OrNull(Type.Integer()),
  putIn: DecimalText,
  worth: DecimalText,
  changedAtMs: Type.Integer(),
});
export type Plan = Static<typeof Plan>;
export const PlanList = Type.Object({ plans: Type.Array(Plan), plansMax: Type.Integer() });
export type PlanList = Static<typeof PlanList>;
export const PlanRun = Type.Object({
  dueMs: Type.Integer(),
  /**
   * PART: some coins were not bought, the note gives the reason. SKIPPED whole: the money was missing. LATE: over an
   * hour.
   */
  state: Type.Enum(["RUNNING", "DONE", "PART", "SKIPPED", "LATE"]),
  spent: DecimalText,
  bought: Type.Array(Type.Object({ asset: Type.String(), amount: DecimalText, code: Type.String() })),
  note: Type.String(),
});
export type PlanRun = Static<typeof PlanRun>;
export const PlanRuns = Type.Object({ runs: Type.Array(PlanRun) });
export type PlanRuns = Static<typeof PlanRuns>;
export const Preview = Type.Object({
  runs: Type.Integer(),
  putIn: DecimalText,
  worth: DecimalText,
  nextRunsMs: Type.Array(Type.Integer()),
  points: Type.Array(Type.Object({ timeMs: Type.Integer(), putIn: DecimalText, worth: DecimalText })),
});
export type Preview = Static<typeof Preview>;

export const PLAN_CALLS = {
  list: endpoint("GET", "/financial/v1/plans/list", { output: PlanList }),
  create: endpoint("POST", "/financial/v1/plans/create", { body: CreateBody, output: PlanList, refusals: REFUSALS }),
  update: endpoint("POST", "/financial/v1/plans/update", { body: UpdateBody, output: PlanList, refusals: REFUSALS }),
  pause: endpoint("POST", "/financial/v1/plans/pause", { body: PauseBody, output: PlanList, refusals: REFUSALS }),
  end: endpoint("POST", "/financial/v1/plans/end", { body: EndBody, output: PlanList, refusals: REFUSALS }),
  runs: endpoint("GET", "/financial/v1/plans/runs", { query: RunsQuery, output: PlanRuns, refusals: REFUSALS }),
  preview: endpoint("POST", "/financial/v1/plans/preview", { body: PreviewBody, output: Preview, refusals: REFUSALS }),
};
