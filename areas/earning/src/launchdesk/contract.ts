// The wire contract of creating launches: coins for sales and back, and a project with its rounds. Amounts are exact
// decimal text, times UTC milliseconds. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const DecimalText = Type.String();
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const Time = Type.Integer({ minimum: 0, maximum: 10_000_000_000_000 });
const proposal = { clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }) };
/** Rounds are named after it, with a number. */
const ProjectName = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,31}$", maxLength: 32 });

export const ROUND_KINDS = ["lottery", "subscription", "flash"] as const;
export const ROUNDS_MAX = 3;

export const StockPayload = Type.Object(
  {
    asset: AssetCode,
    amount: AmountText,
    reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
  },
  { additionalProperties: false },
);
export type StockPayload = Static<typeof StockPayload>;
export const StockBody = Type.Object({ ...StockPayload.properties, ...proposal }, { additionalProperties: false });

export const RoundInput = Type.Object(
  {
    kind: Type.Enum(ROUND_KINDS),
    stock: AmountText,
    /** Coins of a winning ticket or of a flash sale's buyer; of a subscription the step. */
    lot: AmountText,
    /** Of a subscription: the maximum per user. Elsewhere 0. */
    cap: AmountText,
    /** Of a lottery; elsewhere as good as ignored. */
    ticketsMax: Type.Integer({ minimum: 1, maximum: 1_000 }),
    ticketUnit: AmountText,
    snapshotDays: Type.Integer({ minimum: 1, maximum: 30 }),
    preheatAtMs: Time,
    opensAtMs: Time,
    closesAtMs: Time,
    /** When it is drawn or shared, at most three days after its close; at once if omitted. */
    drawAtMs: Type.Optional(Time),
    payUntilMs: Time,
  },
  { additionalProperties: false },
);
export type RoundInput = Static<typeof RoundInput>;

export const LaunchPayload = Type.Object(
  {
    projectId: ProjectName,
    name: Type.String({ minLength: 1, maxLength: 40, pattern: "\\S" }),
    asset: AssetCode,
    summary: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
    supply: AmountText,
    price: AmountText,
    vestFirstPercent: Type.Integer({ minimum: 0, maximum: 100 }),
    vestDays: Type.Integer({ minimum: 0, maximum: 1_500 }),
    listingAtMs: Time,
    rounds: Type.Array(RoundInput, { minItems: 1, maxItems: ROUNDS_MAX }),
  },
  { additionalProperties: false },
);
export type LaunchPayload = Static<typeof LaunchPayload>;
export const LaunchBody = Type.Object({ ...LaunchPayload.properties, ...proposal }, { additionalProperties: false });

export const LaunchDesk = Type.Object({
  /** What the exchange has for sales and not assigned to a launch, coin by coin. */
  stock: Type.Array(Type.Object({ asset: Type.String(), free: DecimalText })),
});
export type LaunchDesk = Static<typeof LaunchDesk>;

const proposed = { output: ProposalMade, refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS } };

export const LAUNCH_DESK_CALLS = {
  desk: endpoint("GET", "/v1/console/launchpad", { output: LaunchDesk }),
  fund: endpoint("POST", "/v1/console/launchpad/fund", { body: StockBody, ...proposed }),
  giveBack: endpoint("POST", "/v1/console/launchpad/return", { body: StockBody, ...proposed }),
  create: endpoint("POST", "/v1/console/launchpad/create", { body: LaunchBody, ...proposed }),
};
