// What telling of orders wants from others: what ended, who asked to hear of it, and the way to tell.
import type { Notice } from "@clockwork/kit/notice";

/** An order that is over, in exact decimal text. */
export interface EndedOrder {
  readonly market: "spot" | "futures" | "delivery";
  readonly orderId: string;
  readonly pairCode: string;
  readonly side: "buy" | "sell";
  readonly type: string;
  readonly status: string;
  readonly endReason: string | null;
  /** It waited for a price: as a position's or an entry's exit, or by itself. */
  readonly fired: "profit" | "stop" | "plan" | null;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
  /** It ended in the command that placed it: whoever placed it was answered so. */
  readonly isInstant: boolean;
  readonly endedAtMs: number;
}

export interface OrderNoticeNeeds {
  /** Who asked to be told of a kind by letter, mail or push. */
  listKeepers(kind: string, after: number, limit: number): Promise<readonly number[]>;
  listEnded(userId: number, sinceMs: number, limit: number): Promise<readonly EndedOrder[]>;
  notify(userId: number, notice: Notice, timeMs: number): Promise<boolean>;
}
