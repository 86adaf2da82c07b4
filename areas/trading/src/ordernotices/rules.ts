// The texts about an ended order, and which endings produce a notice.
import type { Notice, NoticeKind } from "@clockwork/kit/notice";

/** An ended order, in exact decimal text. */
export interface EndedOrder {
  readonly market: "spot" | "futures" | "delivery";
  readonly orderId: string;
  readonly pairCode: string;
  readonly side: "buy" | "sell";
  readonly type: string;
  readonly status: string;
  readonly endReason: string | null;
  /** It waited for a price: as a position's or an entry's exit, or as an independent plan. */
  readonly fired: "profit" | "stop" | "plan" | null;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
  /** It ended in the command that placed it: the response already reported it. */
  readonly isInstant: boolean;
  readonly endedAtMs: number;
}

export const FILLS: NoticeKind = { kind: "fills", group: "trading", defaults: ["live"], isFleeting: true };
export const ORDER_ENDED: NoticeKind = { kind: "orderEnded", group: "trading", defaults: ["live"], isFleeting: true };

/** Endings the owner requested, or that follow from another order with a notice of its own. */
const OWN_ENDS: ReadonlySet<string> = new Set(["USER", "CANCEL_ALL", "AMEND_REPLACED", "LIST_SIBLING"]);

const FIRED = { profit: "Take profit", stop: "Stop loss", plan: "Conditional order triggered" } as const;

type Shape = Pick<EndedOrder, "type"> & {
  readonly side: string;
  readonly listLeg: string | null;
  readonly reduceOnly: boolean;
  readonly triggerDirection: string | null;
};

/** A take-profit exit sells above or buys below, a stop-loss exit the other way round. */
export function firedAs({ type, side, listLeg, reduceOnly, triggerDirection }: Shape): EndedOrder["fired"] {
  if (listLeg === "profit" || listLeg === "stop") return listLeg;
  if (triggerDirection === null || type === "limit" || type === "market" || type === "twap") return null;
  if (!reduceOnly || type === "trailingStop") return "plan";
  return (side === "sell") === (triggerDirection === "rises") ? "profit" : "stop";
}

const REASONS: Readonly<Record<string, string>> = {
  GTD_EXPIRED: "it expired",
  IOC_REST: "the rest could not be filled immediately",
  FOK_UNFILLED: "it could not be filled entirely at once",
  DEAD_MAN: "your cancel-after countdown ended",
  TRIGGER_REJECTED: "it was rejected when it triggered",
  STATUS: "trading on the market was halted",
};

/** Without trailing zeros: 0.01000 is 0.01. */
function plain(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function describeEnding(order: EndedOrder): Notice | undefined {
  const { market, orderId, pairCode, side, status, endReason, filledQuantity, averagePrice, fired } = order;
  const [base = "", quote = ""] = pairCode.split("_");
  const pair = market === "spot" ? `${base}/${quote}` : `${base}${quote} perpetual`;
  const about = { reference: `${market}:${orderId}`, path: `/${market}/${pairCode}` };
  // An inverse contract is counted in dollars.
  const filled = `${plain(filledQuantity)} ${market === "delivery" ? quote : base}`;
  const at = averagePrice === null ? "" : ` at ${plain(averagePrice)} ${quote} on average`;
  if (status === "FILLED") {
    const did = side === "buy" ? "bought" : "sold";
    const title =
      fired === null ? `${did === "bought" ? "Bought" : "Sold"} ${filled}` : `${FIRED[fired]}: ${did} ${filled}`;
    return { ...about, kind: FILLS.kind, title, body: `Your order in ${pair} was filled: ${filled}${at}.` };
  }
  if (endReason !== null && OWN_ENDS.has(endReason)) return undefined;
  const why = status === "REJECTED" ? REASONS.TRIGGER_REJECTED : endReason === null ? undefined : REASONS[endReason];
  const rest = /^0(?:\.0*)?$/.test(filledQuantity) ? "It was not filled." : `Filled: ${filled}${at}.`;
  const body = `Your ${side} order in ${pair} ended${why === undefined ? "" : `: ${why}`}. ${rest}`;
  return { ...about, kind: ORDER_ENDED.kind, title: `Order in ${pair} ended`, body };
}
