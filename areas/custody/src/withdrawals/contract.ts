// The wire contract of withdrawals, the address book and transfers to other users. Amounts are exact decimal text.
// The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PROPOSAL_REFUSALS } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { RECONCILE_REFUSALS, REFUSALS } from "./refusals.ts";

const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const NetworkCode = Type.String({ pattern: "^[A-Z0-9]{2,12}$", maxLength: 12 });
/** As typed; errors in it have codes of their own. */
const TypedAddress = Type.String({ pattern: "^[A-Za-z0-9]{1,120}$", maxLength: 120 });
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const Code = Type.String({ minLength: 6, maxLength: 8, pattern: "^[0-9]+$" });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const WithdrawalId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });

/** In the address book, instead of a network: a user of the exchange, by number. */
export const USER_NETWORK = "USER";

/** The signature of an authenticator device, as the browser returns it. */
export const PasskeyProof = Type.Object({
  id: Bytes(1400),
  rawId: Bytes(1400),
  type: Type.Literal("public-key"),
  authenticatorAttachment: Type.Optional(Type.Enum(["platform", "cross-platform"])),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
  response: Type.Object({
    clientDataJSON: Bytes(4096),
    authenticatorData: Bytes(8192),
    signature: Bytes(2048),
    userHandle: Type.Optional(Bytes(128)),
  }),
});
/** The fund password or a passkey, and one code: the authenticator's, or one that was sent. */
export const Proof = Type.Object(
  {
    tradePassword: Type.Optional(Type.String({ minLength: 8, maxLength: 32 })),
    passkey: Type.Optional(PasskeyProof),
    code: Type.Optional(Code),
  },
  { additionalProperties: false },
);
export type Proof = Static<typeof Proof>;

/** Amounts and proof are the same for every way out. */
const out = {
  asset: AssetCode,
  amount: AmountText,
  clientId: ClientId,
  /** The account it leaves: spot (1, the default) or funding (2). */
  from: Type.Optional(Type.Enum(["1", "2"])),
  proof: Type.Optional(Proof),
};
export const ApplyBody = Type.Object(
  { ...out, network: NetworkCode, address: TypedAddress },
  { additionalProperties: false },
);
export type ApplyBody = Static<typeof ApplyBody>;
/** The receiver: an e-mail address, a phone number or a user number. */
export const TransferBody = Type.Object(
  { ...out, to: Type.String({ minLength: 3, maxLength: 120 }) },
  { additionalProperties: false },
);
export type TransferBody = Static<typeof TransferBody>;

/** What a mailed code is to confirm: a withdrawal to an address, or what goes to another user. */
export const CodeBody = Type.Object(
  {
    asset: AssetCode,
    amount: AmountText,
    from: out.from,
    network: Type.Optional(NetworkCode),
    address: Type.Optional(TypedAddress),
    to: Type.Optional(TransferBody.properties.to),
    captcha: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
        maxProperties: 8,
      }),
    ),
  },
  { additionalProperties: false },
);
export type CodeBody = Static<typeof CodeBody>;
export const CodeSent = Type.Object({ sentTo: Type.String(), resendSeconds: Type.Integer() });
export type CodeSent = Static<typeof CodeSent>;

export const WITHDRAWAL_STATES = [
  "CREATED",
  "VERIFY",
  "REVIEW",
  "QUEUED",
  "BROADCAST",
  "CONFIRMING",
  "DONE",
  "CANCELLED",
  "REJECTED",
  "FAILED",
  "REFUSED",
] as const;
const State = Type.Enum([...WITHDRAWAL_STATES]);

export const Withdrawal = Type.Object({
  withdrawalId: Type.String(),
  clientId: Type.String(),
  network: OrNull(Type.String()),
  address: OrNull(Type.String()),
  /** The number of the receiving user within the exchange. */
  receiver: OrNull(Type.String()),
  asset: Type.String(),
  /** The amount leaving the account, the fee in it, and the amount that arrives. */
  amount: Type.String(),
  fee: Type.String(),
  arrives: Type.String(),
  state: State,
  /**
   * Why it is reviewed: first, newAddress, large, flagged, risk, policy; held while its owner is frozen or suspended.
   */
  review: Type.Array(Type.String()),
  reason: Type.String(),
  txHash: OrNull(Type.String()),
  confirmations: Type.Integer(),
  confirmationsNeeded: Type.Integer(),
  mayCancel: Type.Boolean(),
  /** It waits for a block, and its owner may pay the network's fee once more to speed it up. */
  maySpeedUp: Type.Boolean(),
  /** The cost of that, and the amount paid for it so far. */
  speedCost: Type.String(),
  speedFee: Type.String(),
  createdAtMs: Type.Integer(),
});
export type Withdrawal = Static<typeof Withdrawal>;
export const WithdrawalsQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_640_000_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export const WithdrawalList = Type.Object({ withdrawals: Type.Array(Withdrawal) });
export type WithdrawalList = Static<typeof WithdrawalList>;
/** A preview of a withdrawal to an address. */
export const LookQuery = Type.Object({ asset: AssetCode, network: NetworkCode, address: TypedAddress });
export const AddressLook = Type.Object({
  /**
   * Over the network; to another user of the exchange, at once and free; or to the caller's own deposit address, where
   * it remains.
   */
  way: Type.Enum(["network", "inside", "self"]),
  fee: Type.String(),
  /** With the capitals of its checksum, however it was typed. */
  address: Type.String(),
});
export type AddressLook = Static<typeof AddressLook>;
export const CancelBody = Type.Object({ withdrawalId: WithdrawalId }, { additionalProperties: false });

/**
 * The part of the caller's worth that is locked for now, and what may leave of each coin in spot (1) and funding (2).
 */
export const Locked = Type.Object({
  stays: Type.Array(
    Type.Object({
      /** Bought from other users or a provider within a day, or a deposit that is not deep enough yet. */
      cause: Type.Enum(["otc", "deposit"]),
      usdt: Type.String(),
      /** From then on it may leave; null where blocks decide. */
      untilMs: OrNull(Type.Integer()),
    }),
  ),
  /** Of all the caller's funds, in USDT; null when nothing is locked. */
  mayLeaveUsdt: OrNull(Type.String()),
  withdrawable: Type.Array(Type.Object({ asset: Type.String(), from: Type.Enum(["1", "2"]), amount: Type.String() })),
});
export type Locked = Static<typeof Locked>;

export const Limits = Type.Object({
  ...Locked.properties,
  /** In USDT over 24 hours, by identity level. */
  limitUsdt: Type.String(),
  usedUsdt: Type.String(),
  leftUsdt: Type.String(),
  isWhitelist: Type.Boolean(),
  hasTradePassword: Type.Boolean(),
  hasPasskeys: Type.Boolean(),
  /** Which code is required. */
  codeBy: Type.Enum(["totp", "email", "phone"]),
  locks: Type.Array(Type.Object({ cause: Type.String(), endsAtMs: Type.Integer() })),
  /** More than this share of the limit is reviewed by one person, and by two from the second figure on, in USDT. */
  reviewUsdt: Type.String(),
  twoPeopleUsdt: Type.String(),
});
export type Limits = Static<typeof Limits>;

export const SavedAddress = Type.Object({
  /** USER where the address is the number of a user of the exchange. */
  network: Type.String(),
  address: Type.String(),
  name: Type.String(),
  createdAtMs: Type.Integer(),
  /** Until then neither API keys nor, where only saved addresses may be used, its owner may pay it. */
  usableAtMs: Type.Integer(),
  isResting: Type.Boolean(),
});
export type SavedAddress = Static<typeof SavedAddress>;
export const AddressBook = Type.Object({ isWhitelist: Type.Boolean(), addresses: Type.Array(SavedAddress) });
export type AddressBook = Static<typeof AddressBook>;
export const AddAddressBody = Type.Object(
  {
    network: NetworkCode,
    /** An address of the network; for USER an e-mail address, a phone number or a user number. */
    address: Type.String({ minLength: 1, maxLength: 120 }),
    name: Type.String({ minLength: 1, maxLength: 40, pattern: "\\S" }),
    code: Type.Optional(Code),
  },
  { additionalProperties: false },
);
export const DeleteAddressBody = Type.Object(
  { network: NetworkCode, address: Type.String({ pattern: "^(0x[0-9a-fA-F]{40}|[0-9]{1,10})$", maxLength: 42 }) },
  { additionalProperties: false },
);
export const RiskControlBody = Type.Object(
  { isWhitelist: Type.Boolean(), code: Code },
  { additionalProperties: false },
);

// For operators

export const ReviewItem = Type.Object({
  ...Withdrawal.properties,
  user: Type.String(),
  worthUsdt: Type.String(),
  needsTwo: Type.Boolean(),
});
/** More on the exchange's addresses than is explained. */
export const Unclaimed = Type.Object({
  asset: Type.String(),
  amount: Type.String(),
  seenAtMs: Type.Integer(),
  /** Deep enough in its chain to be final. */
  isKept: Type.Boolean(),
});
export type Unclaimed = Static<typeof Unclaimed>;
export const ReviewQueue = Type.Object({
  waiting: Type.Array(ReviewItem),
  paused: Type.Array(Type.Object({ network: Type.String(), cause: Type.String(), sinceMs: Type.Integer() })),
  gifts: Type.Array(Unclaimed),
  /** Refused: the keys in use are missing, nothing is signed, and the problem names what is missing. */
  signer: Type.Object({ state: Type.Enum(["ready", "away", "refused"]), problem: Type.String() }),
});
export type ReviewQueue = Static<typeof ReviewQueue>;
export const DecideBody = Type.Object(
  {
    withdrawalId: WithdrawalId,
    decision: Type.Enum(["APPROVED", "REJECTED"]),
    reason: Type.Optional(Type.String({ maxLength: 300 })),
  },
  { additionalProperties: false },
);
export const Decided = Type.Object({ state: Type.String(), proposalId: OrNull(Type.String()) });
export const ReleasePayload = Type.Object({
  withdrawalId: WithdrawalId,
  user: Type.String({ maxLength: 12 }),
  amount: Type.String({ maxLength: 44 }),
  asset: AssetCode,
  address: Type.String({ maxLength: 64 }),
});
export const PauseBody = Type.Object(
  {
    network: NetworkCode,
    isPaused: Type.Boolean(),
    cause: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
  },
  { additionalProperties: false },
);
/** Opening again takes two people: the second approves what the first proposed. */
export const Paused = Type.Object({ proposalId: OrNull(Type.String()) });
export const OpenPayload = Type.Object({
  network: NetworkCode,
  cause: Type.String({ maxLength: 200 }),
  sinceMs: Type.Integer(),
});
export const Reconciliation = Type.Object({
  atMs: Type.Integer(),
  isWhole: Type.Boolean(),
  assets: Type.Array(
    Type.Object({
      asset: Type.String(),
      chain: Type.String(),
      ledger: Type.String(),
      /** Deposits on their way and dust, payments on their way, fees not yet in the ledger. */
      uncredited: Type.String(),
      leaving: Type.String(),
      fees: Type.String(),
      /** Unsolicited deposits to the exchange's addresses. */
      gifts: Type.String(),
      /** What moved while chain, tables and ledger were read one after the other, and so proves nothing yet. */
      moving: Type.String(),
      /** The difference; above zero it becomes an unsolicited deposit. */
      difference: Type.String(),
    }),
  ),
});
export type Reconciliation = Static<typeof Reconciliation>;

/** Private live channel: the caller's newest withdrawals. */
export const WITHDRAWALS_CHANNEL = "withdrawals";

export const WITHDRAW_CALLS = {
  limits: endpoint("GET", "/asset/v1/api/withdraw/limits", { output: Limits }),
  addresses: endpoint("GET", "/asset/v1/api/withdraw/address", { output: AddressBook }),
  addAddress: endpoint("POST", "/asset/v1/api/withdraw/address/add", {
    body: AddAddressBody,
    output: AddressBook,
    refusals: REFUSALS,
  }),
  deleteAddress: endpoint("POST", "/asset/v1/api/withdraw/address/delete", {
    body: DeleteAddressBody,
    output: AddressBook,
    refusals: REFUSALS,
  }),
  riskControl: endpoint("POST", "/asset/v1/api/withdraw/address/risk-control", {
    body: RiskControlBody,
    output: AddressBook,
    refusals: REFUSALS,
  }),
  look: endpoint("GET", "/asset/v1/api/withdraw/address/look", {
    query: LookQuery,
    output: AddressLook,
    refusals: REFUSALS,
  }),
  code: endpoint("POST", "/asset/v1/api/withdraw/code", { body: CodeBody, output: CodeSent, refusals: REFUSALS }),
  apply: endpoint("POST", "/asset/v1/api/withdraw/apply", { body: ApplyBody, output: Withdrawal, refusals: REFUSALS }),
  cancel: endpoint("POST", "/asset/v1/api/withdraw/cancel", {
    body: CancelBody,
    output: Withdrawal,
    refusals: REFUSALS,
  }),
  list: endpoint("GET", "/asset/v1/api/withdraw/list", { query: WithdrawalsQuery, output: WithdrawalList }),
  speedUp: endpoint("POST", "/asset/v1/api/withdraw/speed-up", {
    body: CancelBody,
    output: Withdrawal,
    refusals: REFUSALS,
  }),
  transfer: endpoint("POST", "/asset/v1/api/internal/transfer", {
    body: TransferBody,
    output: Withdrawal,
    refusals: REFUSALS,
  }),
  book: endpoint("GET", "/asset/v1/api/internal/book", { output: WithdrawalList }),
  queue: endpoint("GET", "/v2/operators/withdrawals", { output: ReviewQueue }),
  decide: endpoint("POST", "/v2/operators/withdrawals/decide", {
    body: DecideBody,
    output: Decided,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
  pause: endpoint("POST", "/v2/operators/withdrawals/pause", {
    body: PauseBody,
    output: Paused,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
  reconcile: endpoint("POST", "/v2/operators/custody/reconcile", {
    body: Type.Object({}),
    output: Reconciliation,
    refusals: RECONCILE_REFUSALS,
  }),
};
