// The states of an OTC order as one pure table: who may do what in which state, the next state, and the ledger's action
// on the coins in escrow. The service, its tests and the help page share it.

export const OTC_STATES = ["PLACING", "WAIT_PAY", "PAID", "APPEAL", "COMPLETED", "CANCELLED", "REFUSED"] as const;
/** PLACING is stored before the coins are held; REFUSED is one the ledger never accepted. */
export type OtcState = (typeof OTC_STATES)[number];

export const OTC_ACTORS = ["buyer", "seller", "timer", "support"] as const;
export type OtcActor = (typeof OTC_ACTORS)[number];

export const OTC_ACTIONS = [
  "pay",
  "cancel",
  "expire",
  "release",
  "askCancel",
  "appeal",
  "withdrawAppeal",
  "awardBuyer",
  "awardSeller",
] as const;
export type OtcAction = (typeof OTC_ACTIONS)[number];

/**
 * keep: the hold loses its expiry. refund: it is returned. expired: the core returned it itself. release: it is paid
 * out.
 */
export type EscrowMove = "none" | "keep" | "refund" | "expired" | "release";

export interface OtcRule {
  readonly from: OtcState;
  readonly by: OtcActor;
  readonly action: OtcAction;
  readonly to: OtcState;
  readonly escrow: EscrowMove;
}

const rule = (from: OtcState, by: OtcActor, action: OtcAction, to: OtcState, escrow: EscrowMove): OtcRule => ({
  from,
  by,
  action,
  to,
  escrow,
});

export const OTC_RULES: readonly OtcRule[] = [
  rule("WAIT_PAY", "buyer", "pay", "PAID", "keep"),
  rule("WAIT_PAY", "buyer", "cancel", "CANCELLED", "refund"),
  rule("WAIT_PAY", "timer", "expire", "CANCELLED", "expired"),
  rule("PAID", "seller", "release", "COMPLETED", "release"),
  rule("PAID", "buyer", "cancel", "CANCELLED", "refund"),
  rule("PAID", "seller", "askCancel", "PAID", "none"),
  rule("PAID", "buyer", "appeal", "APPEAL", "none"),
  rule("PAID", "seller", "appeal", "APPEAL", "none"),
  rule("APPEAL", "buyer", "withdrawAppeal", "PAID", "none"),
  rule("APPEAL", "seller", "withdrawAppeal", "PAID", "none"),
  rule("APPEAL", "support", "awardBuyer", "COMPLETED", "release"),
  rule("APPEAL", "support", "awardSeller", "CANCELLED", "refund"),
];

export function findRule(from: OtcState, by: OtcActor, action: OtcAction): OtcRule | undefined {
  return OTC_RULES.find((one) => one.from === from && one.by === by && one.action === action);
}

/** Coins are in escrow. */
export const OPEN_STATES: readonly OtcState[] = ["PLACING", "WAIT_PAY", "PAID", "APPEAL"];

export function isOpen(state: OtcState): boolean {
  return OPEN_STATES.includes(state);
}

export const APPEAL_AFTER_MS = 10 * 60_000;
export const EVIDENCE_MS = 60 * 60_000;
/** By then support decides; a silent side loses. */
export const DECIDE_MS = 24 * 3_600_000;
/** Coins bought are locked on the exchange for this time; they can be traded at once. */
export const HOLD_BOUGHT_MS = 24 * 3_600_000;
export const CANCELS_MAX = 3;
/** In the refusals of every call that requires one, on the page of an order and in the help. */
export const SECOND_FACTOR_WORDS =
  "Selling to other people needs a second factor: set up an authenticator, a passkey or a fund password first.";
/** How often a seller may request the cancellation of one order. */
export const REQUESTS_MAX = 3;
