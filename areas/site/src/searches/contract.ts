// The wire contract of the hot search. The only file of the slice a browser may import. Typed words are neither stored
// nor shown: a search counts for the pair or the article it led to.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const FoundBody = Type.Object(
  {
    kind: Type.Enum(["pair", "article"]),
    /** A pair's code, or an article's kind and slug with a stroke between. */
    key: Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9][A-Za-z0-9_/-]*$" }),
  },
  { additionalProperties: false },
);
export type FoundBody = Static<typeof FoundBody>;

export const HotList = Type.Object({
  searches: Type.Array(
    Type.Object({
      kind: Type.Enum(["pair", "article"]),
      key: Type.String(),
      title: Type.String(),
      /** An article's category; empty for a pair. */
      category: Type.String(),
    }),
  ),
});
export type HotList = Static<typeof HotList>;

export const SEARCH_CALLS = {
  hot: endpoint("GET", "/v1/common/hot-search", { output: HotList }),
  found: endpoint("POST", "/v1/common/hot-search", { body: FoundBody, output: Type.Null(), refusals: REFUSALS }),
};
