// The wire contract of the samples behind a funding rate. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/**
 * GET /futuresapi/v1/futuresc/premium-samples?pairCode&settlement, public: every sample behind a settlement's rate,
 * oldest first; without `settlement` those of the coming one. Samples are kept for a month.
 */
export const PremiumSamplesQuery = Type.Object({
  biz: Type.Optional(Type.Enum(["futures", "delivery", "demo"])),
  pairCode: Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 }),
  /** The time of the settlement. */
  settlement: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_640_000_000_000 })),
});
const OrNull = Type.Union([Type.String(), Type.Null()]);

export const PremiumSamples = Type.Object({
  pairCode: Type.String(),
  timeMs: Type.Integer(),
  fromMs: Type.Integer(),
  /** The i-th weighs i: later ones weigh more. */
  samples: Type.Array(Type.Object({ timeMs: Type.Integer(), premium: Type.String() })),
  /** Their weighted mean and the rate that follows from it, as fractions; null without a sample. */
  premium: OrNull,
  rate: OrNull,
});
export type PremiumSamples = Static<typeof PremiumSamples>;

export const PREMIUM_CALLS = {
  samples: endpoint("GET", "/v1/futuresc/premium-samples", {
    bases: ["futures"],
    query: PremiumSamplesQuery,
    output: PremiumSamples,
    refusals: REFUSALS,
  }),
};
