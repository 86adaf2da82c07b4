// The ports of order notices: what ended, who enabled the notice, and the way to notify.
import type { Notice } from "@clockwork/kit/notice";

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

export interface OrderNoticeNeeds {
  /** Users who enabled a kind of notice by letter, mail or push. */
  listKeepers(kind: string, after: number, limit: number): Promise<readonly number[]>;
  listEnded(userId: number, sinceMs: number, limit: number): Promise<readonly EndedOrder[]>;
  notify(userId: number, notice: Notice, timeMs: number): Promise<boolean>;
}
