// The wire contract of pushed index prices. `signature` is Ed25519 over the bytes of `message`, by the source's own key:
// nobody on the way, and no other source, can say what a coin is worth.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const PUSHED_COINS_MAX = 200;

/** What is in `message`, as JSON. */
export const IndexMessage = Type.Object(
  {
    /** When the source has read them. */
    atMs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    /** What one whole coin is worth in dollars, by its symbol. */
    prices: Type.Record(Type.String({ pattern: "^[A-Z0-9]{1,12}$" }), Type.String({ maxLength: 40 }), {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: PUSHED_COINS_MAX,
    }),
  },
  { additionalProperties: false },
);
export type IndexMessage = Static<typeof IndexMessage>;

const PushBody = Type.Object(
  {
    source: Type.String({ pattern: "^[a-z][a-z0-9-]{0,31}$", maxLength: 32 }),
    message: Type.String({ minLength: 2, maxLength: 16_000 }),
    signature: Type.String({ pattern: "^[A-Za-z0-9+/]{86}==$", maxLength: 88 }),
  },
  { additionalProperties: false },
);
export type PushBody = Static<typeof PushBody>;

export const INDEX_CALLS = {
  push: endpoint("POST", "/v1/market/index-prices", {
    body: PushBody,
    /** How many contracts have taken a price: those of these coins that are listed. */
    output: Type.Object({ taken: Type.Integer() }),
    refusals: REFUSALS,
  }),
};
