// The wire contract of outside providers of money. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { FIAT_CODES, OTC_COINS } from "@clockwork/kit/otc/fiat";
import { PAGE_MARK } from "@clockwork/kit/otc/page-mark";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** Hex of an HMAC-SHA256 over `provider.dealId.state.at` with the secret the provider shares. */
export const SIGNATURE_HEADER = "x-provider-signature";

const Side = Type.Enum(["buy", "sell"]);
const Fiat = Type.Enum([...FIAT_CODES]);
const Asset = Type.Enum([...OTC_COINS]);
const ProviderName = Type.String({ pattern: "^[a-z][a-z0-9-]{1,23}$", maxLength: 24 });
const DealId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$", maxLength: 18 });

export const ProviderList = Type.Object({
  providers: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      isSimulated: Type.Boolean(),
      fiats: Type.Array(Type.String()),
      minUsd: Type.Integer(),
      maxUsd: Type.Integer(),
    }),
  ),
});
export type ProviderList = Static<typeof ProviderList>;

export const QuoteBody = Type.Object(
  {
    provider: ProviderName,
    side: Side,
    asset: Asset,
    fiat: Fiat,
    amount: DecimalInput,
    /** Money bought with: from outside, or held with the provider. Sales are always held. */
    source: Type.Optional(Type.Enum(["outside", "balance"])),
  },
  { additionalProperties: false },
);
export type QuoteBody = Static<typeof QuoteBody>;
export const DealBody = Type.Object({ dealId: DealId }, { additionalProperties: false });
export const DealQuery = Type.Object({ id: DealId });
export const CallbackBody = Type.Object(
  {
    provider: ProviderName,
    dealId: DealId,
    state: Type.Enum(["SUCCESS", "FAILED"]),
    /** When it ended, in milliseconds. */
    at: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { additionalProperties: false },
);
export type CallbackBody = Static<typeof CallbackBody>;

const DEAL_STATES = ["QUOTED", "PENDING", "SUCCESS", "FAILED"] as const;
export const Deal = Type.Object({
  dealId: Type.String(),
  provider: Type.String(),
  side: Side,
  asset: Type.String(),
  fiat: Type.String(),
  price: Type.String(),
  amount: Type.String(),
  quantity: Type.String(),
  source: Type.Enum(["outside", "balance"]),
  state: Type.Enum([...DEAL_STATES]),
  reason: Type.String(),
  /** The remaining time of a quote by the exchange's clock; 0 once it is accepted or expired. */
  leftMs: Type.Integer(),
  expiresAtMs: Type.Integer(),
  createdAtMs: Type.Integer(),
  changedAtMs: Type.Integer(),
});
export type Deal = Static<typeof Deal>;

const Before = Type.Optional(Type.String(PAGE_MARK));
const NextBefore = Type.Union([Type.String(), Type.Null()]);
export const DealsQuery = Type.Object({ before: Before });
export const DealList = Type.Object({ deals: Type.Array(Deal), nextBefore: NextBefore });
export type DealList = Static<typeof DealList>;

export const LegalTender = Type.Object({
  assets: Type.Array(Type.Object({ fiat: Type.String(), name: Type.String(), amount: Type.String() })),
});
export type LegalTender = Static<typeof LegalTender>;

export const BILL_KINDS = ["buy", "sell", "fee", "bond", "compensation", "provider"] as const;
export type BillKind = (typeof BILL_KINDS)[number];
export const BillsQuery = Type.Object({
  before: Before,
  kind: Type.Optional(Type.Enum([...BILL_KINDS])),
  asset: Type.Optional(Asset),
  fiat: Type.Optional(Fiat),
  /** The first moment that is shown, in milliseconds. */
  since: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
export type BillsQuery = Static<typeof BillsQuery>;
export const FinanceBills = Type.Object({
  bills: Type.Array(
    Type.Object({
      kind: Type.Enum([...BILL_KINDS]),
      reference: Type.String(),
      asset: Type.String(),
      /** Signed: positive in, negative out. */
      quantity: Type.String(),
      fiat: Type.Union([Type.String(), Type.Null()]),
      amount: Type.Union([Type.String(), Type.Null()]),
      atMs: Type.Integer(),
    }),
  ),
  /** Passed as cursor, the next page starts where this one ends. */
  nextBefore: NextBefore,
});
export type Bill = FinanceBills["bills"][number];
export type FinanceBills = Static<typeof FinanceBills>;

export const OTC_PROVIDER_CALLS = {
  list: endpoint("GET", "/v2/otc/providers/list", { output: ProviderList }),
  quote: endpoint("POST", "/v2/otc/providers/quote", { body: QuoteBody, output: Deal, refusals: REFUSALS }),
  accept: endpoint("POST", "/v2/otc/providers/accept", { body: DealBody, output: Deal, refusals: REFUSALS }),
  get: endpoint("GET", "/v2/otc/providers/get", { query: DealQuery, output: Deal, refusals: REFUSALS }),
  deals: endpoint("GET", "/v2/otc/providers/deals", { query: DealsQuery, output: DealList }),
  callback: endpoint("POST", "/v2/otc/providers/callback", { body: CallbackBody, output: Deal, refusals: REFUSALS }),
  legalTender: endpoint("GET", "/v2/otc/legal-tender", { output: LegalTender }),
  bills: endpoint("GET", "/v2/otc/finance/bills", { query: BillsQuery, output: FinanceBills }),
};
