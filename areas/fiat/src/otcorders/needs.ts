// The ports of orders: ads, users, the ledger's escrow, sealing and notices. Interfaces only.
import type { Sealing } from "@clockwork/host/vault";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { PaymentKind } from "@clockwork/kit/otc/fiat";
import type { Redrawn, RedrawOptions } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { OrderRow } from "./store.ts";

/**
 * expired: the core returned the coins itself. unpriced: they have no price. away: no answer now, the result is
 * unknown.
 */
export type EscrowReply = "done" | "expired" | "short" | "restricted" | "blocked" | "unpriced" | "away" | "refused";

/** An ad as it can be taken now, at a price. */
export interface TakenAd {
  readonly adId: number;
  readonly version: number;
  readonly makerId: number;
  readonly slot: number;
  /** The side of its owner. */
  readonly side: "buy" | "sell";
  readonly asset: string;
  readonly fiat: string;
  readonly windowMinutes: number;
  readonly priceE4: bigint;
  readonly quantityUnits: bigint;
  readonly amountCents: bigint;
  readonly paymentIds: readonly string[];
  readonly paymentKinds: readonly string[];
  readonly matchId: string;
}

export interface SeenPerson {
  readonly name: string;
  readonly level: number;
  readonly createdMs: number;
  readonly isSimulated: boolean;
  readonly bondUnits: bigint | undefined;
  /** A merchant's automatic first reply. */
  readonly reply: string;
}

export interface PaymentFound {
  readonly paymentId: string;
  readonly userId: number;
  readonly kind: PaymentKind;
  readonly fiat: string;
  readonly details: string;
}

export interface Escrow {
  hold(order: OrderRow, coin: LedgerCoin): Promise<EscrowReply>;
  /** Removes the expiry of the hold: from now on no timer returns it. */
  keep(order: OrderRow): Promise<EscrowReply>;
  refund(order: OrderRow): Promise<EscrowReply>;
  /** To the buyer, the advertiser's fee to the exchange, and the lock of the buyer's coins for a day. */
  release(order: OrderRow, coin: LedgerCoin): Promise<EscrowReply>;
}

export interface OrderNeeds extends Sealing {
  readonly now: () => number;
  /**
   * One transaction for a proved change: refused when security changed since its version was read, or the account is
   * frozen.
   */
  changeAt<Value, Code extends string>(
    userId: number,
    version: number,
    write: (inside: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<Result<Value, Code | "OVERTAKEN">>;
  readonly escrow: Escrow;
  coin(symbol: string): LedgerCoin | undefined;
  /** In USDT; undefined while the coin has no price. */
  worthUnits(coin: LedgerCoin, amountUnits: bigint): bigint | undefined;
  /** The ad and the deal, or why it cannot be made. */
  take(
    takerId: number,
    requested: {
      readonly adId: number;
      readonly amount?: string | undefined;
      readonly quantity?: string | undefined;
      readonly matchId?: string | undefined;
      readonly price?: string | undefined;
    },
  ): Promise<TakenAd | string>;
  reserve(inside: Kysely<unknown>, ad: TakenAd, timeMs: number): Promise<boolean>;
  giveBack(inside: Kysely<unknown>, adId: number, quantityUnits: bigint, timeMs: number): Promise<void>;
  takeMatch(inside: Kysely<unknown>, matchId: string, orderId: string): Promise<boolean>;
  /** An order of this ad started or ended: lists, and coins returned to an offline ad. */
  adChanged(order: OrderRow): Promise<void>;
  findPayment(paymentId: string): Promise<PaymentFound | undefined>;
  person(userId: number): Promise<SeenPerson>;
  /** By the identity: the name of the payer and of the account paid to. */
  legalName(userId: number): Promise<string | undefined>;
  redrawPicture(bytes: Uint8Array, options: RedrawOptions): Promise<Redrawn>;
  /** A file of lines of name and value; the third replaces a value no font can write. */
  writeReceipt(
    title: string,
    lines: readonly (readonly [name: string, value: string, otherwise?: string])[],
  ): Promise<Uint8Array>;
  randomId(): string;
  randomDigits(count: number): string;
  /** From a merchant's bond to a user; stored first, paid once. */
  compensate(fromUserId: number, toUserId: number, amountUnits: bigint, reference: string): Promise<void>;
  /** The public record of a user changed. */
  recordChanged(userId: number): void;
  publish(
    userId: number,
    news: { readonly orderId: string; readonly what: "order" | "message" | "read" | "deal" },
  ): void;
  /** By letter, mail and the live channel; a step is notified once. */
  notify(
    userId: number,
    notice: { topic: string; title: string; body: string; orderId: string; stepId: number },
  ): Promise<void>;
  readonly hasSimulatedReviewer: boolean;
}
