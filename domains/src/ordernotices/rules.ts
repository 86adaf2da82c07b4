// The words of what happened to an order, and which ends are worth telling.
import type { Notice, NoticeKind } from "@clockwork/kit/notice";
import type { EndedOrder } from "./needs.ts";

export const FILLS: NoticeKind = { kind: "fills", group: "trading", defaults: ["live"], isFleeting: true };
export const ORDER_ENDED: NoticeKind = { kind: "orderEnded", group: "trading", defaults: ["live"], isFleeting: true };

/** Ends the owner asked for himself, or that follow from another order he is told of. */
const OWN_ENDS: ReadonlySet<string> = new Set(["USER", "CANCEL_ALL", "AMEND_REPLACED", "LIST_SIBLING"]);

const REASONS: Readonly<Record<string, string>> = {
  GTD_EXPIRED: "its time was over",
  IOC_REST: "nothing more could be filled at once",
  FOK_UNFILLED: "it could not be filled at once and whole",
  DEAD_MAN: "your countdown ran out",
  TRIGGER_REJECTED: "it was refused when its trigger was met",
  STATUS: "the market was stopped",
};

/** As a person writes it: 0.01000 is 0.01. */
function plain(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function describeEnding(order: EndedOrder): Notice | undefined {
  const { orderId, pairCode, side, status, endReason, filledQuantity, averagePrice } = order;
  const [base = "", quote = ""] = pairCode.split("_");
  const pair = `${base}/${quote}`;
  const about = { reference: `spot:${orderId}`, path: `/spot/${pairCode}` };
  const filled = `${plain(filledQuantity)} ${base}`;
  const at = averagePrice === null ? "" : ` at ${plain(averagePrice)} ${quote} on average`;
  if (status === "FILLED") {
    const title = `${side === "buy" ? "Bought" : "Sold"} ${filled}`;
    return { ...about, kind: FILLS.kind, title, body: `Your order in ${pair} is filled: ${filled}${at}.` };
  }
  if (endReason !== null && OWN_ENDS.has(endReason)) return undefined;
  const why = endReason === null ? undefined : REASONS[endReason];
  const rest = /^0(?:\.0*)?$/.test(filledQuantity) ? "Nothing of it was filled." : `Filled before: ${filled}${at}.`;
  const body = `Your ${side} order in ${pair} ended${why === undefined ? "" : `: ${why}`}. ${rest}`;
  return { ...about, kind: ORDER_ENDED.kind, title: `Order in ${pair} ended`, body };
}
