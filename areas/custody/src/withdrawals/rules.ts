// Pure rules of withdrawals: what may leave, why it is reviewed, the texts of refusals, and the handling of a
// difference between chains and ledger.

import type { Network, NetworkCoin } from "@clockwork/kit/chains/network";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import { type Locked, USER_NETWORK } from "./contract.ts";
import type { WithdrawRefusal } from "./refusals.ts";
import type { SendingRow } from "./sending-store.ts";
import type { UnclaimedRow, WithdrawalRow, WithdrawalState } from "./store.ts";

export const SAVED_MAX = 200;
/** From this worth on two people decide, in USDT units. */
export const TWO_PEOPLE_UNITS = 50_000_000_000n;
/** A larger share of the daily limit is reviewed. */
const LARGE_SHARE = 10n;
/** New names a user may try within a day; known receivers do not count. */
export const NAME_RULE = { triesMax: 20, lockMs: 900_000 } as const;
/** The identity level an API key requires. */
export const KEY_LEVEL = 2;

/** Errors of an address alone. */
export type AddressRefusal = Extract<WithdrawRefusal, "ADDRESS_INVALID" | "ADDRESS_CHECKSUM" | "ADDRESS_OTHER_NETWORK">;

/** Fields the refusal is about. */
export const FIELD_OF: Partial<Readonly<Record<WithdrawRefusal, string>>> = {
  ADDRESS_INVALID: "body.address",
  ADDRESS_CHECKSUM: "body.address",
  ADDRESS_OTHER_NETWORK: "body.address",
  ADDRESS_IS_TOKEN: "body.address",
  ADDRESS_IS_HOUSE: "body.address",
  ADDRESS_NOT_SAVED: "body.address",
  ADDRESS_RESTS: "body.address",
  AMOUNT_INVALID: "body.amount",
  AMOUNT_TOO_SMALL: "body.amount",
  LIMIT_REACHED: "body.amount",
  INSUFFICIENT_BALANCE: "body.amount",
  RESTRICTED: "body.amount",
  PROOF_WRONG: "body.proof",
  PROOF_REQUIRED: "body.proof",
  RECEIVER_UNKNOWN: "body.to",
  RECEIVER_IS_SENDER: "body.to",
  RECEIVER_NOT_SAVED: "body.to",
  RECEIVER_RESTS: "body.to",
};

/** The ledger's codes for outgoing money; anything else is an outage to the caller. */
const LEDGER_CODES = [
  "INSUFFICIENT_BALANCE",
  "RESTRICTED",
  "NO_REFERENCE_PRICE",
  "ACCOUNT_BLOCKED",
  "IN_DEBT",
] as const;

export function readLedgerCode(code: string | undefined): WithdrawRefusal {
  if (code === "OUTGOING_BLOCKED") return "ACCOUNT_BLOCKED";
  return LEDGER_CODES.find((one) => one === code) ?? "LEDGER_AWAY";
}

/** The stored reason of a refusal. */
export function readKept(reason: string): WithdrawRefusal {
  return reason === "LIMIT_REACHED" ? reason : readLedgerCode(reason);
}

export interface ReadAmount {
  readonly amountUnits: bigint;
  readonly feeUnits: bigint;
}

/** The fee is deducted from the amount: something must be left to arrive. */
export function readAmount(text: string, coin: NetworkCoin, scale: number): ReadAmount | WithdrawRefusal {
  const amount = parseUnits(text, scale);
  if (!amount.done || amount.value === 0n) return "AMOUNT_INVALID";
  const min = parseUnits(coin.withdrawMin, scale);
  const fee = parseUnits(coin.withdrawFee, scale);
  if (!min.done || !fee.done) throw new Error(`the rules of ${coin.asset} cannot be read`);
  if (amount.value < min.value || amount.value <= fee.value) return "AMOUNT_TOO_SMALL";
  return { amountUnits: amount.value, feeUnits: fee.value };
}

export interface ReviewFacts {
  readonly isFirst: boolean;
  readonly isNewAddress: boolean;
  readonly worthUnits: bigint;
  readonly limitUnits: bigint;
}

/** Why it is reviewed; empty when no review is needed. */
export function reviewReasons({ isFirst, isNewAddress, worthUnits, limitUnits }: ReviewFacts): readonly string[] {
  return [
    ...(isFirst ? ["first"] : []),
    ...(isNewAddress ? ["newAddress"] : []),
    ...(worthUnits * LARGE_SHARE > limitUnits ? ["large"] : []),
  ];
}

/** Above this it is reviewed. */
export const RISK_MAX = 50;

interface RiskFacts {
  /** Of the account. */
  readonly ageMs: number;
  /** Withdrawals of the last hour, and different addresses of the last day; this one counts. */
  readonly lastHour: number;
  readonly addresses: number;
  /** Almost none of the coin remains. */
  readonly takesAll: boolean;
}

/** From 0 to 100: how much it looks like an account emptied by an intruder. */
export function riskScore({ ageMs, lastHour, addresses, takesAll }: RiskFacts): number {
  const youth = ageMs < DAY_MS ? 40 : ageMs < 7 * DAY_MS ? 20 : 0;
  const hurry = lastHour >= 5 ? 30 : lastHour >= 3 ? 15 : 0;
  const spread = addresses >= 4 ? 30 : addresses >= 3 ? 15 : 0;
  return Math.min(100, youth + hurry + spread + (takesAll ? 20 : 0));
}

/** Before the freeze there is nothing to refund, and once queued it may be on its way. */
export const mayCancel = (state: WithdrawalState): boolean => state === "VERIFY" || state === "REVIEW";

const SPEED_UPS_MAX = 3;
/** Blocks a payment waits before its owner may pay for a speed-up. */
const SPEED_AFTER_BLOCKS = 3;

export function maySpeedUp(row: WithdrawalRow, { blockSeconds }: Network, nowMs: number): boolean {
  const isWaiting = row.state === "BROADCAST" && row.tx_hash !== null && row.block_number === null;
  const isLong = nowMs - row.changed_ms >= SPEED_AFTER_BLOCKS * blockSeconds * 1_000;
  return isWaiting && isLong && row.speed_ups < SPEED_UPS_MAX && row.speed_state === "";
}

export function newRow(request: {
  readonly withdrawalId: string;
  readonly nowMs: number;
  readonly userId: number;
  readonly asset: string;
  readonly clientId: string;
  readonly from?: string;
  readonly amountUnits: bigint;
}): WithdrawalRow {
  return {
    withdrawal_id: request.withdrawalId,
    user_id: request.userId,
    client_id: request.clientId,
    network: "",
    address: "",
    receiver_id: null,
    asset: request.asset,
    book: request.from === "2" ? "funding" : "spot",
    amount_units: request.amountUnits,
    fee_units: 0n,
    worth_units: 0n,
    state: "CREATED",
    is_settled: false,
    review: "",
    reviewer_id: null,
    reason: "",
    tx_hash: null,
    block_number: null,
    created_ms: request.nowMs,
    changed_ms: request.nowMs,
    speed_ups: 0,
    speed_units: 0n,
    speed_state: "",
  };
}

/** The same intent, regardless of the proof. */
export function isSameIntent(left: WithdrawalRow, right: WithdrawalRow): boolean {
  return (["network", "address", "receiver_id", "asset", "book", "amount_units"] as const).every(
    (name) => left[name] === right[name],
  );
}

/** To the user's own address: nothing leaves, so no limit or restriction applies. */
export const isToSelf = ({ user_id, receiver_id }: Pick<WithdrawalRow, "user_id" | "receiver_id">): boolean =>
  receiver_id === user_id;

/** What a mailed code is good for: exactly this amount of this coin, to this receiver and nobody else. */
export interface CodeSubject {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly string[];
}

export function subjectOf(request: {
  readonly asset: string;
  readonly amountUnits: bigint;
  readonly scale: number;
  readonly network: string;
  /** An address, or how another user was named. */
  readonly to: string;
  /** As people read it. */
  readonly shownTo: string;
}): CodeSubject {
  const amount = `${formatUnits(units(request.amountUnits), request.scale)} ${request.asset}`;
  const isUser = request.network === USER_NETWORK;
  return {
    key: [request.network, request.to.trim().toLowerCase(), request.asset, request.amountUnits].join(" "),
    title: isUser ? `Your code to send ${amount}` : `Your code to withdraw ${amount}`,
    lines: [
      "It confirms this and nothing else:",
      `Amount: ${amount}`,
      `To: ${request.shownTo}`,
      ...(isUser ? [] : [`Network: ${request.network}`]),
    ],
  };
}

export function findContract(network: Network, address: string): boolean {
  return network.coins.some(({ contract }) => contract === address);
}

// Payments

/** A quarter more for both figures: nodes accept a replacement from ten percent more on. */
export function dearerFees(
  row: Pick<SendingRow, "max_fee" | "tip">,
  now: { readonly baseFee: bigint; readonly tip: bigint },
): Pick<SendingRow, "max_fee" | "tip"> {
  const raise = (old: string, requested: bigint): string => {
    const raised = (BigInt(old) * 5n) / 4n + 1n;
    return (raised > requested ? raised : requested).toString();
  };
  return { max_fee: raise(row.max_fee, now.baseFee * 2n + now.tip), tip: raise(row.tip, now.tip) };
}

// Unsolicited deposits: a surplus is one, a shortage is a loss

/** Longer than an explanation takes: transfers from contracts are searched every minute. */
const KEPT_MS = 600_000;

export type ReadBlocks = ReadonlyMap<string, number>;

interface UnclaimedChange {
  readonly row: UnclaimedRow;
  readonly fine_units: string;
  readonly is_kept: boolean;
}

interface Settled {
  readonly added: UnclaimedRow | undefined;
  readonly changes: readonly UnclaimedChange[];
  /** The shortage after recent unsolicited deposits have been removed; zero or below. */
  readonly missing: bigint;
}

/** `difference` already includes the coin's unsolicited deposits, newest first. */
export function settleDifference(
  asset: string,
  difference: bigint,
  gifts: readonly UnclaimedRow[],
  at: { readonly nowMs: number; readonly read: ReadBlocks },
): Settled {
  const blocks = JSON.stringify(Object.fromEntries(at.read));
  if (difference > 0n) {
    const added = { asset, seen_ms: at.nowMs, fine_units: difference.toString(), blocks, is_kept: false };
    return { added, changes: [], missing: 0n };
  }
  let missing = difference;
  const changes: UnclaimedChange[] = [];
  for (const row of gifts) {
    if (row.is_kept || missing === 0n) continue;
    const held = BigInt(row.fine_units);
    const left = held + missing > 0n ? held + missing : 0n;
    missing += held - left;
    changes.push({ row, fine_units: left.toString(), is_kept: false });
  }
  return { added: undefined, changes, missing };
}

/** No block it was seen in can be replaced any more, and every possible explanation has had its time. */
export function isKept(
  row: UnclaimedRow,
  networks: readonly Network[],
  { nowMs, read }: { readonly nowMs: number; readonly read: ReadBlocks },
): boolean {
  const seen = JSON.parse(row.blocks) as Readonly<Record<string, number>>;
  const isDeep = networks
    .filter(({ coins }) => coins.some((coin) => coin.asset === row.asset))
    .every(({ network, finalBlocks }) => (read.get(network) ?? 0) - (seen[network] ?? 0) >= finalBlocks);
  return isDeep && nowMs - row.seen_ms >= KEPT_MS;
}

/** A user's balance of a coin in one book, and its worth in USDT's units, if it has one. */
export interface HeldCoin {
  readonly asset: string;
  readonly from: "1" | "2";
  readonly scale: number;
  readonly availableUnits: bigint;
  readonly worthUnits: (amountUnits: bigint) => bigint | undefined;
}
export interface LockedFacts {
  /** The restricted part of a user's worth, in USDT's units, and the whole worth. */
  readonly restrictedUnits: bigint;
  readonly worthUnits: bigint;
  /** OTC purchases within a day. */
  readonly bought: readonly { readonly worthUnits: bigint; readonly untilMs: number }[];
  readonly held: readonly HeldCoin[];
}

const USDT_DIGITS = 6;
/** A coin worth less than a millionth of a dollar still has a price. */
const FINE = 10n ** 6n;

/** The ledger keeps a sum and decides by it; OTC purchases are distinguished from deposits pending confirmation. */
export function describeLocked({ restrictedUnits, worthUnits, bought, held }: LockedFacts): Locked {
  const usdt = (value: bigint): string => formatUnits(units(value), USDT_DIGITS);
  const stays: Locked["stays"] = [];
  let left = restrictedUnits;
  for (const one of [...bought].sort((first, second) => first.untilMs - second.untilMs)) {
    const keptUnits = one.worthUnits < left ? one.worthUnits : left;
    if (keptUnits > 0n) stays.push({ cause: "otc", usdt: usdt(keptUnits), untilMs: one.untilMs });
    left -= keptUnits;
  }
  if (left > 0n) stays.push({ cause: "deposit", usdt: usdt(left), untilMs: null });
  const freeUnits = worthUnits > restrictedUnits ? worthUnits - restrictedUnits : 0n;
  const isFree = restrictedUnits === 0n;
  return {
    stays,
    mayLeaveUsdt: isFree ? null : usdt(freeUnits),
    withdrawable: held.map((coin) => {
      const leaves = isFree ? coin.availableUnits : leavingUnits(coin, freeUnits);
      return { asset: coin.asset, from: coin.from, amount: formatUnits(units(leaves), coin.scale) };
    }),
  };
}

/** Units of a coin worth no more than this, up to the balance; none of a coin without a price. */
function leavingUnits({ scale, availableUnits, worthUnits }: HeldCoin, freeUnits: bigint): bigint {
  const many = 10n ** BigInt(scale) * FINE;
  const worth = worthUnits(many);
  if (worth === undefined) return 0n;
  // A fractional price is rounded up.
  const price = worth * 10n ** BigInt(scale) === many * 10n ** BigInt(USDT_DIGITS) ? worth : worth + 1n;
  const leaves = (freeUnits * many) / price;
  return leaves < availableUnits ? leaves : availableUnits;
}

/** Added to the refusal: how much is locked until when. */
export function lockedWords({ stays }: Locked): string {
  const reply = stays.map(({ cause, usdt, untilMs }) =>
    cause === "otc" && untilMs !== null
      ? `${usdt} USDT bought from others can leave from ${new Date(untilMs).toISOString()}`
      : `${usdt} USDT of deposits wait for blocks`,
  );
  return reply.length === 0 ? "" : ` ${reply.slice(0, WORDS_MAX).join("; ")}.`;
}
const WORDS_MAX = 5;
