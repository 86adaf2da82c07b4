// Pure rules of withdrawals: what may leave, why a person looks at it, what is refused in which words, and
// what becomes of a difference between chains and ledger.

import type { Network, NetworkCoin } from "@clockwork/kit/chains/network";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { Staying } from "./contract.ts";
import type { WithdrawRefusal } from "./refusals.ts";
import type { SendingRow } from "./sending-store.ts";
import type { GiftRow, WithdrawalRow, WithdrawalState } from "./store.ts";

export const SAVED_MAX = 200;
/** From this worth on two people decide, in USDT units. */
export const TWO_PEOPLE_UNITS = 50_000_000_000n;
/** A larger share of the daily limit is looked at. */
const LARGE_SHARE = 10n;
/** Names somebody may try within a day before he waits: whoever pays the same people again tries none. */
export const NAME_RULE = { triesMax: 20, lockMs: 900_000 } as const;
/** Identity a program must have behind it. */
export const KEY_LEVEL = 2;

/** What can be wrong with an address by itself. */
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

/** What the ledger may say to money that leaves; anything else is an outage to the caller. */
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

/** Why one was refused, as its row keeps it. */
export function readKept(reason: string): WithdrawRefusal {
  return reason === "LIMIT_REACHED" ? reason : readLedgerCode(reason);
}

export interface ReadAmount {
  readonly amountUnits: bigint;
  readonly feeUnits: bigint;
}

/** The fee comes out of the amount: something must be left to arrive. */
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

/** Why a person looks at it; empty when nobody needs to. */
export function reviewReasons({ isFirst, isNewAddress, worthUnits, limitUnits }: ReviewFacts): readonly string[] {
  return [
    ...(isFirst ? ["first"] : []),
    ...(isNewAddress ? ["newAddress"] : []),
    ...(worthUnits * LARGE_SHARE > limitUnits ? ["large"] : []),
  ];
}

/** Above this a person reads it. */
export const RISK_MAX = 50;

interface RiskFacts {
  /** Of the account. */
  readonly ageMs: number;
  /** Withdrawals of the last hour, and different addresses of the last day; this one counts. */
  readonly lastHour: number;
  readonly addresses: number;
  /** Next to nothing of the coin stays behind. */
  readonly takesAll: boolean;
}

/** From 0 to 100: how much it looks like somebody emptying an account that is not his. */
export function riskScore({ ageMs, lastHour, addresses, takesAll }: RiskFacts): number {
  const youth = ageMs < DAY_MS ? 40 : ageMs < 7 * DAY_MS ? 20 : 0;
  const hurry = lastHour >= 5 ? 30 : lastHour >= 3 ? 15 : 0;
  const spread = addresses >= 4 ? 30 : addresses >= 3 ? 15 : 0;
  return Math.min(100, youth + hurry + spread + (takesAll ? 20 : 0));
}

/** Before it is frozen there is nothing to give back, and once it is queued it may be on its way. */
export const mayCancel = (state: WithdrawalState): boolean => state === "VERIFY" || state === "REVIEW";

const SPEED_UPS_MAX = 3;
/** Blocks a payment waits before its owner may pay for more. */
const SPEED_AFTER_BLOCKS = 3;

export function maySpeedUp(row: WithdrawalRow, { blockSeconds }: Network, nowMs: number): boolean {
  const isWaiting = row.state === "BROADCAST" && row.tx_hash !== null && row.block_number === null;
  const isLong = nowMs - row.changed_ms >= SPEED_AFTER_BLOCKS * blockSeconds * 1_000;
  return isWaiting && isLong && row.speed_ups < SPEED_UPS_MAX && row.speed_state === "";
}

export function newRow(wish: {
  readonly withdrawalId: string;
  readonly nowMs: number;
  readonly userId: number;
  readonly asset: string;
  readonly clientId: string;
  readonly from?: string;
  readonly amountUnits: bigint;
}): WithdrawalRow {
  return {
    withdrawal_id: wish.withdrawalId,
    user_id: wish.userId,
    client_id: wish.clientId,
    network: "",
    address: "",
    receiver_id: null,
    asset: wish.asset,
    book: wish.from === "2" ? "funding" : "spot",
    amount_units: wish.amountUnits,
    fee_units: 0n,
    worth_units: 0n,
    state: "CREATED",
    is_settled: false,
    review: "",
    reviewer_id: null,
    reason: "",
    tx_hash: null,
    block_number: null,
    created_ms: wish.nowMs,
    changed_ms: wish.nowMs,
    speed_ups: 0,
    speed_units: 0n,
    speed_state: "",
  };
}

/** The same intent, whatever was proved. */
export function isSameIntent(left: WithdrawalRow, right: WithdrawalRow): boolean {
  return (["network", "address", "receiver_id", "asset", "book", "amount_units"] as const).every(
    (name) => left[name] === right[name],
  );
}

/** To somebody's own address: nothing leaves him, so no limit and no restriction is about it. */
export const isToSelf = ({ user_id, receiver_id }: Pick<WithdrawalRow, "user_id" | "receiver_id">): boolean =>
  receiver_id === user_id;

export function findContract(network: Network, address: string): boolean {
  return network.coins.some(({ contract }) => contract === address);
}

// Payments

/** A quarter more of both figures: nodes take a replacement from a tenth more on. */
export function dearerFees(
  row: Pick<SendingRow, "max_fee" | "tip">,
  now: { readonly baseFee: bigint; readonly tip: bigint },
): Pick<SendingRow, "max_fee" | "tip"> {
  const raise = (old: string, asked: bigint): string => {
    const raised = (BigInt(old) * 5n) / 4n + 1n;
    return (raised > asked ? raised : asked).toString();
  };
  return { max_fee: raise(row.max_fee, now.baseFee * 2n + now.tip), tip: raise(row.tip, now.tip) };
}

// Gifts: more is somebody's gift, less is a loss

/** Longer than an explanation takes: money from inside a contract is looked for every minute. */
const KEPT_MS = 600_000;

export type ReadBlocks = ReadonlyMap<string, number>;

interface GiftChange {
  readonly row: GiftRow;
  readonly fine_units: string;
  readonly is_kept: boolean;
}

interface Settled {
  readonly added: GiftRow | undefined;
  readonly changes: readonly GiftChange[];
  /** What is missing after young gifts have gone again; zero or below. */
  readonly missing: bigint;
}

/** `difference` already counts the coin's `gifts` in, newest first. */
export function settleDifference(
  asset: string,
  difference: bigint,
  gifts: readonly GiftRow[],
  at: { readonly nowMs: number; readonly read: ReadBlocks },
): Settled {
  const blocks = JSON.stringify(Object.fromEntries(at.read));
  if (difference > 0n) {
    const added = { asset, seen_ms: at.nowMs, fine_units: difference.toString(), blocks, is_kept: false };
    return { added, changes: [], missing: 0n };
  }
  let missing = difference;
  const changes: GiftChange[] = [];
  for (const row of gifts) {
    if (row.is_kept || missing === 0n) continue;
    const held = BigInt(row.fine_units);
    const left = held + missing > 0n ? held + missing : 0n;
    missing += held - left;
    changes.push({ row, fine_units: left.toString(), is_kept: false });
  }
  return { added: undefined, changes, missing };
}

/** No block it was seen in can be replaced any more, and whatever could explain it has had its time. */
export function isKept(
  row: GiftRow,
  networks: readonly Network[],
  { nowMs, read }: { readonly nowMs: number; readonly read: ReadBlocks },
): boolean {
  const seen = JSON.parse(row.blocks) as Readonly<Record<string, number>>;
  const isDeep = networks
    .filter(({ coins }) => coins.some((coin) => coin.asset === row.asset))
    .every(({ network, finalBlocks }) => (read.get(network) ?? 0) - (seen[network] ?? 0) >= finalBlocks);
  return isDeep && nowMs - row.seen_ms >= KEPT_MS;
}

/** What somebody has of a coin in one book, and what so many units of it are worth in USDT's, if that can be said. */
export interface HeldCoin {
  readonly asset: string;
  readonly from: "1" | "2";
  readonly scale: number;
  readonly availableUnits: bigint;
  readonly worthUnits: (amountUnits: bigint) => bigint | undefined;
}
export interface StayingFacts {
  /** What the ledger keeps of somebody's worth, in USDT's units, and all of that worth. */
  readonly restrictedUnits: bigint;
  readonly worthUnits: bigint;
  /** What was bought from others within a day. */
  readonly bought: readonly { readonly worthUnits: bigint; readonly untilMs: number }[];
  readonly held: readonly HeldCoin[];
}

const USDT_DIGITS = 6;
/** A coin worth less than a millionth of a dollar has a price all the same. */
const FINE = 10n ** 6n;

/** The ledger keeps a sum and decides by it; what was bought from others is told apart from what blocks decide about. */
export function describeStaying({ restrictedUnits, worthUnits, bought, held }: StayingFacts): Staying {
  const usdt = (value: bigint): string => formatUnits(units(value), USDT_DIGITS);
  const stays: Staying["stays"] = [];
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

/** So many of a coin as are worth no more than this, and as there are; none of one nobody can value. */
function leavingUnits({ scale, availableUnits, worthUnits }: HeldCoin, freeUnits: bigint): bigint {
  const many = 10n ** BigInt(scale) * FINE;
  const worth = worthUnits(many);
  if (worth === undefined) return 0n;
  // A price that is no whole number is taken as the next higher one.
  const price = worth * 10n ** BigInt(scale) === many * 10n ** BigInt(USDT_DIGITS) ? worth : worth + 1n;
  const leaves = (freeUnits * many) / price;
  return leaves < availableUnits ? leaves : availableUnits;
}

/** Said with the refusal: how much stays until when. */
export function stayingWords({ stays }: Staying): string {
  const said = stays.map(({ cause, usdt, untilMs }) =>
    cause === "otc" && untilMs !== null
      ? `${usdt} USDT bought on OTC can be withdrawn from ${new Date(untilMs).toISOString()}`
      : `${usdt} USDT of deposits awaiting confirmations`,
  );
  return said.length === 0 ? "" : ` ${said.slice(0, WORDS_MAX).join("; ")}.`;
}
const WORDS_MAX = 5;
