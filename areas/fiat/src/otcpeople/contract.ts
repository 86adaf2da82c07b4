// The wire contract of payment accounts, merchants and blocked users. The only file of the slice a browser may import.

import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { FIAT_CODES, PAYMENT_KINDS } from "@clockwork/kit/otc/fiat";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Fiat = Type.Enum([...FIAT_CODES]);
const FieldText = Type.Optional(Type.String({ minLength: 1, maxLength: 60 }));
const UserNumber = Type.String({ pattern: "^[0-9]{1,12}$", maxLength: 12 });
const PaymentId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });

export const PaymentBody = Type.Object(
  {
    kind: Type.Enum([...PAYMENT_KINDS]),
    fiat: Fiat,
    /** The holder of the account: the name of the caller's identity. */
    name: Type.String({ minLength: 2, maxLength: 80 }),
    bank: FieldText,
    account: FieldText,
    branch: FieldText,
    provider: FieldText,
    handle: FieldText,
  },
  { additionalProperties: false },
);
export type PaymentBody = Static<typeof PaymentBody>;
export const PaymentIdBody = Type.Object({ paymentId: PaymentId }, { additionalProperties: false });

export const Payment = Type.Object({
  paymentId: Type.String(),
  kind: Type.Enum([...PAYMENT_KINDS]),
  fiat: Type.String(),
  name: Type.String(),
  /** Such as `Emirates Coast Bank, AE07 •••• 3456`. */
  label: Type.String(),
  fields: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  createdAtMs: Type.Integer(),
});
export type Payment = Static<typeof Payment>;
export const PaymentList = Type.Object({
  payments: Type.Array(Payment),
  /** The name accounts must be in; null until it is verified. */
  name: Type.Union([Type.String(), Type.Null()]),
});
export type PaymentList = Static<typeof PaymentList>;

export const BlockBody = Type.Object({ user: UserNumber }, { additionalProperties: false });
export const BlockList = Type.Object({
  blocked: Type.Array(Type.Object({ user: Type.String(), name: Type.String(), createdAtMs: Type.Integer() })),
});
export type BlockList = Static<typeof BlockList>;

const MERCHANT_STATES = ["APPLIED", "AUDIT", "ACTIVE", "SUSPENDED", "EXITING", "EXITED"] as const;
export type MerchantState = (typeof MERCHANT_STATES)[number];

const Bond = Type.Object({
  level: Type.Integer(),
  bondUsdt: Type.String(),
  adsMax: Type.Integer(),
  orderMaxUsdt: Type.String(),
  identityLevel: Type.Integer(),
});
const Merchant = Type.Object({
  user: Type.String(),
  name: Type.String(),
  state: Type.Enum([...MERCHANT_STATES]),
  level: Type.Integer(),
  bondUsdt: Type.String(),
  /** The required bond; less closes the ads until it is refilled. */
  bondDueUsdt: Type.String(),
  opensMinute: Type.Integer(),
  closesMinute: Type.Integer(),
  reply: Type.String(),
  reason: Type.String(),
  isSimulated: Type.Boolean(),
  appliedAtMs: Type.Integer(),
  changedAtMs: Type.Integer(),
  refillByMs: Type.Integer(),
  exitAtMs: Type.Integer(),
});
export type Merchant = Static<typeof Merchant>;

export const MerchantCentre = Type.Object({
  merchant: Type.Union([Merchant, Type.Null()]),
  bonds: Type.Array(Bond),
  /** The requirements of an application, and whether the caller meets them. */
  identityLevel: Type.Integer(),
  hasSecondFactor: Type.Boolean(),
  /** A fund password counts too: enough to trade with others, not to be a merchant. */
  hasAnyFactor: Type.Boolean(),
  accountDays: Type.Integer(),
  accountDaysMin: Type.Integer(),
  fundingUsdt: Type.String(),
  hasSimulatedReviewer: Type.Boolean(),
});
export type MerchantCentre = Static<typeof MerchantCentre>;

export const ApplyBody = Type.Object(
  {
    level: Type.Integer({ minimum: 1, maximum: 3 }),
    name: Type.String({
      minLength: 3,
      maxLength: 30,
      pattern: "^[\\p{L}\\p{M}0-9][\\p{L}\\p{M}0-9 &.'-]*[\\p{L}\\p{M}0-9.]$",
    }),
  },
  { additionalProperties: false },
);
export const UpgradeBody = Type.Object(
  { level: Type.Integer({ minimum: 2, maximum: 3 }) },
  { additionalProperties: false },
);
export type ApplyBody = Static<typeof ApplyBody>;
const Minute = Type.Integer({ minimum: 0, maximum: 1440 });
export const SettingsBody = Type.Object(
  {
    /** Minutes of the day in UTC between which ads are shown; the same twice is the whole day. */
    opensMinute: Minute,
    closesMinute: Minute,
    reply: Type.String({ maxLength: 300 }),
  },
  { additionalProperties: false },
);
export type SettingsBody = Static<typeof SettingsBody>;

export const DeskQuery = Type.Object({ state: Type.Optional(Type.Enum([...MERCHANT_STATES])) });
export const MerchantTable = Type.Object({ merchants: Type.Array(Merchant) });
export type MerchantTable = Static<typeof MerchantTable>;
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
export const AuditPayload = Type.Object({ user: UserNumber, name: Type.String({ maxLength: 30 }) });
export const AuditBody = Type.Object({ user: UserNumber, clientId: ClientId }, { additionalProperties: false });
export const RefuseBody = Type.Object(
  { user: UserNumber, reason: Type.String({ minLength: 3, maxLength: 300, pattern: "\\S" }) },
  { additionalProperties: false },
);

export const OTC_PEOPLE_CALLS = {
  payments: endpoint("GET", "/v2/otc/payments/list", { output: PaymentList }),
  addPayment: endpoint("POST", "/v2/otc/payments/add", { body: PaymentBody, output: PaymentList, refusals: REFUSALS }),
  removePayment: endpoint("POST", "/v2/otc/payments/remove", {
    body: PaymentIdBody,
    output: PaymentList,
    refusals: REFUSALS,
  }),
  blocked: endpoint("GET", "/v2/otc/blacklist/list", { output: BlockList }),
  block: endpoint("POST", "/v2/otc/blacklist/add", { body: BlockBody, output: BlockList, refusals: REFUSALS }),
  unblock: endpoint("POST", "/v2/otc/blacklist/remove", { body: BlockBody, output: BlockList }),
  merchant: endpoint("GET", "/v2/otc/merchant/get", { output: MerchantCentre }),
  apply: endpoint("POST", "/v2/otc/merchant/apply", { body: ApplyBody, output: MerchantCentre, refusals: REFUSALS }),
  refill: endpoint("POST", "/v2/otc/merchant/refill", { output: MerchantCentre, refusals: REFUSALS }),
  upgrade: endpoint("POST", "/v2/otc/merchant/upgrade", {
    body: UpgradeBody,
    output: MerchantCentre,
    refusals: REFUSALS,
  }),
  exit: endpoint("POST", "/v2/otc/merchant/exit", { output: MerchantCentre, refusals: REFUSALS }),
  settings: endpoint("POST", "/v2/otc/merchant/settings", {
    body: SettingsBody,
    output: MerchantCentre,
    refusals: REFUSALS,
  }),
  desk: endpoint("GET", "/v2/otc/merchant/desk", { query: DeskQuery, output: MerchantTable }),
  audit: endpoint("POST", "/v2/otc/merchant/audit", {
    body: AuditBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
  reject: endpoint("POST", "/v2/otc/merchant/reject", { body: RefuseBody, output: MerchantTable, refusals: REFUSALS }),
  suspend: endpoint("POST", "/v2/otc/merchant/suspend", {
    body: RefuseBody,
    output: MerchantTable,
    refusals: REFUSALS,
  }),
};
