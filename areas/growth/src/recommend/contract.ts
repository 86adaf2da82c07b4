// The wire contract of recommendations on the first page. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

const RECOMMENDATION_KINDS = ["pair", "leader", "product"] as const;
const RECOMMENDATION_REASONS = [
  "favourite",
  "held",
  "busy",
  "rising",
  "newest",
  "begin",
  "protect",
  "learn",
  "reward",
] as const;
export const RECOMMENDATIONS_MAX = 8;

export const Recommendation = Type.Object({
  kind: Type.Enum([...RECOMMENDATION_KINDS]),
  /** Pair code, the leader's number, or the product's name. */
  id: Type.String(),
  title: Type.String(),
  reason: Type.Enum([...RECOMMENDATION_REASONS]),
  /** A bare path of the site. */
  path: Type.String(),
});
export type Recommendation = Static<typeof Recommendation>;

export const RecommendationList = Type.Object({
  items: Type.Array(Recommendation, { maxItems: RECOMMENDATIONS_MAX }),
});
export type RecommendationList = Static<typeof RecommendationList>;

export const RECOMMEND_CALLS = {
  recommendations: endpoint("GET", "/v1/home/recommendations", { output: RecommendationList }),
};
