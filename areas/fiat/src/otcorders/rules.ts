// Pure rules of OTC orders: texts of refusals, whose turn it is, and who wins when one side is silent.

import type { Sealing } from "@clockwork/host/vault";
import { decimalText } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import { FIAT_SCALE, findFiat } from "@clockwork/kit/otc/fiat";
import { CANCELS_MAX, EVIDENCE_MS, type OtcActor } from "@clockwork/kit/otc/order-machine";
import { DAY_MS } from "@clockwork/kit/time";
import { type OrderRefusal, REFUSALS } from "./refusals.ts";
import type { ComplaintRow, OrderRow } from "./store.ts";

export const isRefusal = (code: string): code is OrderRefusal => code in REFUSALS;

export const USDT_SCALE = 6;
/** Above this a second person reviews a decision. */
const TWO_PEOPLE_UNITS = 1_000_000_000n;

/**
 * The compensation counts like the order's worth, so that a small order is no way to a large bond; an order without a
 * price, whose worth is 0, counts as a large one.
 */
export function needsTwoPeople(worthUnits: bigint, compensationUnits: bigint): boolean {
  return worthUnits === 0n || worthUnits > TWO_PEOPLE_UNITS || compensationUnits > TWO_PEOPLE_UNITS;
}

export const OPEN_MAX = 10;
export const MESSAGES_MAX = 500;
export const FILES_MAX = 20;
/** Twice the size shown in a chat, for screens with two pixels per point. */
export const SMALL_EDGE_PIXELS = 480;
export const CHAT_AFTER_MS = 24 * 3_600_000;
/** Longer than any call may take: a step under way for this long was left by a stop. */
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

/** The side at fault when an order ended without a trade; a seller who requested it is at fault. */
export function faultOf(order: Pick<OrderRow, "is_cancel_asked">, by: OtcActor): "" | "buyer" | "seller" {
  if (by === "timer") return "buyer";
  return by === "buyer" ? (order.is_cancel_asked ? "seller" : "buyer") : "";
}

/** Whether the buyer did not pay, cancelled, or let it expire. */
export function isCancel(row: Pick<OrderRow, "state" | "fault" | "end_by">): boolean {
  return row.state === "CANCELLED" && row.fault === "buyer" && (row.end_by === "buyer" || row.end_by === "timer");
}

/** The end of a buyer's pause after cancellations at these times: a day from every third within a day; 0 is never. */
export function restsUntil(endedMs: readonly number[]): number {
  const sorted = [...endedMs].sort((left, right) => left - right);
  return sorted.reduce((until, atMs, i) => {
    const firstMs = sorted[i - CANCELS_MAX + 1];
    return firstMs !== undefined && atMs - firstMs <= DAY_MS ? atMs + DAY_MS : until;
  }, 0);
}

/** The statement of each side, and the number of its pictures. */
export type Voices = Pick<ComplaintRow, "buyer_says" | "seller_says" | "buyer_pictures" | "seller_pictures">;

/** The side with a statement or pictures wins over the silent one; none while both or neither have. */
export function winnerBySilence(complaint: Voices): "buyer" | "seller" | "" {
  const [buyer, seller] = formatted(complaint);
  return buyer === seller ? "" : buyer ? "buyer" : "seller";
}

function formatted(complaint: Voices): readonly [buyer: boolean, seller: boolean] {
  const buyer = complaint.buyer_says !== "" || complaint.buyer_pictures > 0;
  const seller = complaint.seller_says !== "" || complaint.seller_pictures > 0;
  return [buyer, seller];
}

/** Both sides have their time for evidence, unless both have made a statement. */
export function decidableFromMs(complaint: Voices & Pick<ComplaintRow, "opened_ms">): number {
  const [buyer, seller] = formatted(complaint);
  return complaint.opened_ms + (buyer && seller ? 0 : EVIDENCE_MS);
}

/** Completed orders among those that completed or failed through this user's own fault, in hundredths of a percent. */
export function completionOf(completed: number, atFault: number): number | undefined {
  const all = completed + atFault;
  return all === 0 ? undefined : Math.floor((completed * 10_000) / all);
}

// Statements in a complaint are sealed in the tables, bound to its order; empty while a side is silent.

/** The prefix of sealed texts; older rows are plain until the next start. */
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
