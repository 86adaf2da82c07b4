// Pure rules of orders between people: words of refusals, whose turn it is, and who wins when one side stays silent.

import { decimalText } from "@clockwork/kit/decimal";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { formatUnits, units } from "@clockwork/kit/money";
import { FIAT_SCALE, findFiat } from "@clockwork/kit/otc/fiat";
import { CANCELS_MAX, EVIDENCE_MS, type OtcActor, SECOND_FACTOR_WORDS } from "@clockwork/kit/otc/order-machine";
import { MIXED_WORDS } from "@clockwork/kit/picture";
import { DAY_MS } from "@clockwork/kit/time";
import type { ComplaintRow, OrderRow } from "./store.ts";

export type OrderRefusal =
  | "IDENTITY_LEVEL"
  | "AD_UNKNOWN"
  | "AD_OFFLINE"
  | "AD_CHANGED"
  | "AD_BLOCKED"
  | "OWN_AD"
  | "SECOND_FACTOR_REQUIRED"
  | "CONDITION_LEVEL"
  | "CONDITION_TRADED"
  | "CONDITION_AGE"
  | "CONDITION_ORDERS"
  | "CONDITION_COMPLETION"
  | "MERCHANT_CLOSED"
  | "AMOUNT_INVALID"
  | "AMOUNT_BELOW_MIN"
  | "AMOUNT_ABOVE_MAX"
  | "STOCK_TOO_SMALL"
  | "PRICE_MOVED"
  | "NO_PRICE"
  | "MATCH_UNKNOWN"
  | "PAYMENT_UNKNOWN"
  | "BUYING_RESTS"
  | "BUYER_RESTS"
  | "ORDERS_FULL"
  | "INSUFFICIENT_BALANCE"
  | "RESTRICTED"
  | "ACCOUNT_BLOCKED"
  | "LEDGER_AWAY"
  | "LEDGER_REFUSED"
  | "ORDER_UNKNOWN"
  | "ORDER_STATE"
  | "ORDER_BUSY"
  | "ORDER_EXPIRED"
  | "PROOF_REQUIRED"
  | "PROOF_WRONG"
  | "TOO_MANY_TRIES"
  | "SECURITY_CHANGED"
  | "CONFIRM_UNPAID"
  | "ASKS_FULL"
  | "APPEAL_TOO_EARLY"
  | "APPEAL_NOT_YOURS"
  | "EVIDENCE_CLOSED"
  | "EVIDENCE_OPEN"
  | "CHAT_CLOSED"
  | "CHAT_FULL"
  | "MESSAGE_UNKNOWN"
  | "FILE_INVALID"
  | "FILE_MIXED"
  | "FILE_BUSY"
  | "FILES_FULL"
  | "FILE_UNKNOWN"
  | "COMPLAINT_UNKNOWN"
  | "OWN_COMPLAINT"
  | "COMPLAINT_DECIDED"
  | "COMPENSATION_TOO_LARGE";

export const REFUSALS: RefusalTable<OrderRefusal> = {
  IDENTITY_LEVEL: [403, "Trading with other people needs identity level 2."],
  AD_UNKNOWN: [404, "There is no such ad."],
  AD_OFFLINE: [409, "The ad is not online."],
  AD_CHANGED: [409, "The ad has just changed; look at it again."],
  AD_BLOCKED: [403, "One of you has blocked the other."],
  OWN_AD: [409, "This ad is your own."],
  SECOND_FACTOR_REQUIRED: [403, SECOND_FACTOR_WORDS],
  CONDITION_TRADED: [403, "The advertiser trades only with people he has traded with before."],
  CONDITION_LEVEL: [403, "The advertiser asks for a higher identity level."],
  CONDITION_AGE: [403, "The advertiser asks for an older account."],
  CONDITION_ORDERS: [403, "The advertiser asks for more completed orders."],
  CONDITION_COMPLETION: [403, "The advertiser asks for a higher completion rate."],
  MERCHANT_CLOSED: [409, "The merchant is closed at this hour."],
  AMOUNT_INVALID: [400, "Give either an amount or a quantity above zero."],
  AMOUNT_BELOW_MIN: [422, "The amount is below the ad's smallest order."],
  AMOUNT_ABOVE_MAX: [422, "The amount is above the ad's largest order."],
  STOCK_TOO_SMALL: [409, "The ad does not hold as much any more."],
  PRICE_MOVED: [409, "The price has moved; look at it again."],
  NO_PRICE: [503, "This coin has no price now."],
  MATCH_UNKNOWN: [409, "The held price is over; match again."],
  PAYMENT_UNKNOWN: [422, "Choose a payment account the other side accepts."],
  BUYING_RESTS: [403, "Three orders were cancelled or timed out within a day; buying rests for 24 hours."],
  BUYER_RESTS: [409, "The advertiser rests from buying after orders that were cancelled; choose another ad."],
  ORDERS_FULL: [409, "You have as many open orders as there may be; end one first."],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin in the seller's account."],
  RESTRICTED: [422, "Coins bought from other people stay for 24 hours before they can be sold to others."],
  ACCOUNT_BLOCKED: [403, "Nothing can be moved out of this account now; contact support."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again, nothing happens twice."],
  LEDGER_REFUSED: [422, "The ledger refused this order."],
  ORDER_UNKNOWN: [404, "There is no such order."],
  ORDER_STATE: [409, "This cannot be done in the order's present state."],
  ORDER_BUSY: [409, "Something else is being done with this order; look again."],
  ORDER_EXPIRED: [409, "The time to pay was over; the coins went back to the seller."],
  PROOF_REQUIRED: [
    403,
    "Releasing takes a code of your authenticator, a passkey, or your fund password with a code that was sent to you.",
  ],
  PROOF_WRONG: [403, "The fund password, the passkey or the code is wrong, or was used."],
  TOO_MANY_TRIES: [429, "Too many wrong codes; wait a while."],
  SECURITY_CHANGED: [409, "Your account's security changed meanwhile, so nothing was released; sign in and try again."],
  CONFIRM_UNPAID: [422, "Confirm that you have not paid, or that the money came back."],
  ASKS_FULL: [409, "You have asked as often as you may; appeal if the buyer does not answer."],
  APPEAL_TOO_EARLY: [409, "An appeal can be opened ten minutes after the payment."],
  APPEAL_NOT_YOURS: [403, "Only whoever opened the appeal can withdraw it."],
  EVIDENCE_CLOSED: [409, "The hour for evidence is over."],
  EVIDENCE_OPEN: [409, "Both sides have an hour for evidence: decide when both have spoken, or when it is over."],
  CHAT_CLOSED: [409, "The chat of this order is closed."],
  CHAT_FULL: [409, "This chat holds as many messages as it may."],
  MESSAGE_UNKNOWN: [404, "There is no such message in this order."],
  FILE_INVALID: [400, "Send JPEG, PNG or WebP pictures of at most 5 MB."],
  FILE_MIXED: [400, MIXED_WORDS],
  FILE_BUSY: [503, "Too many pictures are being drawn at this moment; send it again shortly."],
  FILES_FULL: [409, "This order holds as many pictures as it may."],
  FILE_UNKNOWN: [404, "There is no such picture."],
  COMPLAINT_UNKNOWN: [404, "There is no such complaint."],
  OWN_COMPLAINT: [403, "You are a side of this complaint; another operator decides it."],
  COMPLAINT_DECIDED: [409, "This complaint was decided or withdrawn already."],
  COMPENSATION_TOO_LARGE: [422, "The loser's bond does not hold as much."],
};

export const isRefusal = (code: string): code is OrderRefusal => code in REFUSALS;

export const USDT_SCALE = 6;
/** Above this a second person reads a decision. */
const TWO_PEOPLE_UNITS = 1_000_000_000n;

/**
 * What is taken from a bond counts as the order does, so that no small order is a way to a large bond; an order nobody
 * could value, whose worth is 0, counts as a large one.
 */
export function needsTwoPeople(worthUnits: bigint, compensationUnits: bigint): boolean {
  return worthUnits === 0n || worthUnits > TWO_PEOPLE_UNITS || compensationUnits > TWO_PEOPLE_UNITS;
}

export const OPEN_MAX = 10;
export const MESSAGES_MAX = 500;
export const FILES_MAX = 20;
/** Twice what a chat shows, for screens with two points per pixel. */
export const SMALL_EDGE_PIXELS = 480;
export const CHAT_AFTER_MS = 24 * 3_600_000;
/** Longer than any call may take: what is under way for so long was left by a stop. */
export const UNDER_WAY_MS = 5_000;
export const SIMULATED_DECIDES_MS = 20_000;
export const SYSTEM = 0;
export const SUPPORT = -1;

export const centsText = (cents: bigint, fiat: string): string =>
  findFiat(fiat)?.decimals === 0 ? String(cents / 100n) : decimalText(cents, FIAT_SCALE);
export const coinText = (amountUnits: bigint, scale: number): string => formatUnits(units(amountUnits), scale);
export const bpsText = (bps: number): string => decimalText(BigInt(bps), 2);

export function roleOf(
  order: Pick<OrderRow, "buyer_id" | "seller_id">,
  userId: number,
): "buyer" | "seller" | undefined {
  if (order.buyer_id === userId) return "buyer";
  return order.seller_id === userId ? "seller" : undefined;
}

/** Through whose fault an order ended without a trade; a seller who asked for it has it on his own record. */
export function faultOf(order: Pick<OrderRow, "is_cancel_asked">, by: OtcActor): "" | "buyer" | "seller" {
  if (by === "timer") return "buyer";
  return by === "buyer" ? (order.is_cancel_asked ? "seller" : "buyer") : "";
}

/** Did somebody who wanted to buy not pay, call it off or let it run out? */
export function isCancel(row: Pick<OrderRow, "state" | "fault" | "end_by">): boolean {
  return row.state === "CANCELLED" && row.fault === "buyer" && (row.end_by === "buyer" || row.end_by === "timer");
}

/** Until when somebody buys nothing whose cancels ended at these times: a day from every third within a day; 0 is never. */
export function restsUntil(endedMs: readonly number[]): number {
  const sorted = [...endedMs].sort((left, right) => left - right);
  return sorted.reduce((until, atMs, i) => {
    const firstMs = sorted[i - CANCELS_MAX + 1];
    return firstMs !== undefined && atMs - firstMs <= DAY_MS ? atMs + DAY_MS : until;
  }, 0);
}

/** What each side has said, and how many pictures it has shown. */
export type Voices = Pick<ComplaintRow, "buyer_says" | "seller_says" | "buyer_pictures" | "seller_pictures">;

/** Whoever spoke, in words or by pictures, wins over whoever stayed silent; nobody while both or neither did. */
export function winnerBySilence(complaint: Voices): "buyer" | "seller" | "" {
  const [buyer, seller] = spoken(complaint);
  return buyer === seller ? "" : buyer ? "buyer" : "seller";
}

function spoken(complaint: Voices): readonly [buyer: boolean, seller: boolean] {
  const buyer = complaint.buyer_says !== "" || complaint.buyer_pictures > 0;
  const seller = complaint.seller_says !== "" || complaint.seller_pictures > 0;
  return [buyer, seller];
}

/** Both sides have their time for evidence, unless both have spoken. */
export function decidableFromMs(complaint: Voices & Pick<ComplaintRow, "opened_ms">): number {
  const [buyer, seller] = spoken(complaint);
  return complaint.opened_ms + (buyer && seller ? 0 : EVIDENCE_MS);
}

/** Completed of all that came to an end or failed through this person's own fault, in hundredths of a percent. */
export function completionOf(completed: number, atFault: number): number | undefined {
  const all = completed + atFault;
  return all === 0 ? undefined : Math.floor((completed * 10_000) / all);
}

// What the sides of a complaint say stands sealed in the tables, bound to its order; empty while a side is silent.

interface Sealing {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
}

/** Begins what is sealed; rows of before are plain until the next start. */
export const SEALED_MARK = "sealed:";
const contextOf = (orderId: string): string => `otc-statement:${orderId}`;

export function sealStatement(vault: Sealing, orderId: string, text: string): string {
  if (text === "") return "";
  const sealed = vault.seal(new TextEncoder().encode(text), contextOf(orderId));
  return SEALED_MARK + Buffer.from(sealed).toString("base64");
}

export function openStatement(vault: Sealing, orderId: string, kept: string): string {
  if (!kept.startsWith(SEALED_MARK)) return kept;
  const sealed = Buffer.from(kept.slice(SEALED_MARK.length), "base64");
  return new TextDecoder().decode(vault.open(sealed, contextOf(orderId)));
}
