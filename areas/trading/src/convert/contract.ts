// The wire contract of convert: a firm quote, accepting it, and dust swept into USDT. Amounts are exact decimal text.
// The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });

export const QuoteBody = Type.Object(
  { from: AssetCode, to: AssetCode, amount: AmountText },
  { additionalProperties: false },
);
export type QuoteBody = Static<typeof QuoteBody>;
export const Quote = Type.Object({
  quoteId: Type.String(),
  from: Type.String(),
  to: Type.String(),
  /** The amounts given and received, both firm until it expires. */
  amount: Type.String(),
  receives: Type.String(),
  /** The share the exchange keeps, beyond the cost of the order book. */
  spread: Type.String(),
  expiresAtMs: Type.Integer(),
});
export type Quote = Static<typeof Quote>;
export const AcceptBody = Type.Object(
  { quoteId: Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 }) },
  { additionalProperties: false },
);
export const Accepted = Type.Object({
  quoteId: Type.String(),
  from: Type.String(),
  to: Type.String(),
  amount: Type.String(),
  receives: Type.String(),
});
export const ConversionsQuery = Type.Object({
  quoteId: Type.Optional(Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 })),
  /** Requested within this span. */
  from: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_001 })),
  /** The oldest first where it is left out. */
  order: Type.Optional(Type.Enum(["oldest", "newest"])),
});
export type ConversionsQuery = Static<typeof ConversionsQuery>;
export const Conversion = Type.Object({
  quoteId: Type.String(),
  from: Type.String(),
  to: Type.String(),
  amount: Type.String(),
  receives: Type.String(),
  /** False while the ledger has not confirmed. */
  isDone: Type.Boolean(),
  /** When the quote was requested. */
  timeMs: Type.Integer(),
});
export type Conversion = Static<typeof Conversion>;
export const ConversionList = Type.Object({ conversions: Type.Array(Conversion) });
export type ConversionList = Static<typeof ConversionList>;

/** Omitted, every coin with a small balance. */
export const SmallBody = Type.Object(
  {
    assets: Type.Optional(Type.Array(AssetCode, { minItems: 1, maxItems: 50, uniqueItems: true })),
    clientId: ClientId,
  },
  { additionalProperties: false },
);
export const SmallResult = Type.Object({
  receives: Type.String(),
  converted: Type.Array(Type.Object({ asset: Type.String(), amount: Type.String(), receives: Type.String() })),
});
export type SmallResult = Static<typeof SmallResult>;

export const CONVERT_CALLS = {
  quote: endpoint("POST", "/asset/v1/api/convert/quote", { body: QuoteBody, output: Quote, refusals: REFUSALS }),
  accept: endpoint("POST", "/asset/v1/api/convert/accept", { body: AcceptBody, output: Accepted, refusals: REFUSALS }),
  small: endpoint("POST", "/asset/v1/api/convert/small", { body: SmallBody, output: SmallResult, refusals: REFUSALS }),
  list: endpoint("GET", "/asset/v1/api/convert/list", { query: ConversionsQuery, output: ConversionList }),
};
