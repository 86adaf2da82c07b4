// The wire contract of halting and opening markets. The only file of the slice a browser may import.

import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Biz = Type.Enum(["spot", "futures", "delivery"]);
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });

export const HaltedMarket = Type.Object({
  biz: Biz,
  pairCode: Type.String(),
  status: Type.String(),
  /** Null where no operator has stopped it. */
  stop: Type.Union([Type.Object({ reason: Type.String(), by: Type.String(), atMs: Type.Integer() }), Type.Null()]),
});
export type HaltedMarket = Static<typeof HaltedMarket>;
export const HaltedMarkets = Type.Object({ markets: Type.Array(HaltedMarket) });
export type HaltedMarkets = Static<typeof HaltedMarkets>;

/** CANCEL_ONLY: orders rest and may be cancelled. HALT: nothing moves. */
export const StopBody = Type.Object(
  {
    biz: Biz,
    pairCode: PairCode,
    status: Type.Enum(["CANCEL_ONLY", "HALT"]),
    reason: Type.String({ minLength: 1, maxLength: 300, pattern: "\\S" }),
    /** The typed pair code, so that no market is halted by mistake. */
    confirmation: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);
export type StopBody = Static<typeof StopBody>;

/** `stoppedMs` identifies the halt to end: an approval does not open a later one. */
export const OpenPayload = Type.Object(
  { biz: Biz, pairCode: PairCode, stoppedMs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
  { additionalProperties: false },
);
export type OpenPayload = Static<typeof OpenPayload>;

export const OpenBody = Type.Object(
  { biz: Biz, pairCode: PairCode, clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }) },
  { additionalProperties: false },
);

export const HALT_CALLS = {
  list: endpoint("GET", "/v2/operators/markets", { output: HaltedMarkets }),
  stop: endpoint("POST", "/v2/operators/markets/stop", { body: StopBody, output: Type.Null(), refusals: REFUSALS }),
  open: endpoint("POST", "/v2/operators/markets/open", {
    body: OpenBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
};
