// The ports of OTC's people: identities, the ledger, sealing, ads and orders. Interfaces only.

import type { Sealing } from "@clockwork/host/vault";

export type LedgerReply = "done" | "short" | "away" | "refused";

export interface Standing {
  readonly level: number;
  /** An authenticator or a passkey. */
  readonly hasSecondFactor: boolean;
  /** Or a fund password, which with a code that is sent proves a release. */
  readonly hasAnyFactor: boolean;
  readonly createdMs: number;
  /** As the identity has it; undefined while none is known. */
  readonly name: string | undefined;
  readonly nickname: string;
}

export interface PeopleNeeds extends Sealing {
  readonly now: () => number;
  standing(userId: number): Promise<Standing | undefined>;
  randomId(): string;
  /** Coins have no value: a user with a level but without documents gets the first name they enter. */
  readonly isTestMoney: boolean;
  readonly hasSimulatedReviewer: boolean;
  /** From the funding book into the bond account and back, and from the bond to a harmed user. */
  payBond(userId: number, amountUnits: bigint, reference: string): Promise<LedgerReply>;
  returnBond(userId: number, amountUnits: bigint, reference: string): Promise<LedgerReply>;
  drawBond(userId: number, toUserId: number, amountUnits: bigint, reference: string): Promise<LedgerReply>;
  fundingUnits(userId: number): Promise<bigint>;
  /** Takes all ads of a merchant offline. */
  closeAds(userId: number): Promise<void>;
  /** Is one of the accounts used by an ad that is not deleted? */
  isPaymentUsed(userId: number, paymentId: string): Promise<boolean>;
  /** Whether two users have an order with each other, however it ended. */
  haveMet(userId: number, otherId: number): Promise<boolean>;
  lastOrder(userId: number): Promise<{ readonly endedMs: number; readonly isOpen: boolean } | undefined>;
  /** The public view of the merchant changed. */
  changed(userId: number): void;
  notify(
    userId: number,
    notice: { topic: string; title: string; body: string; reference: string; path: string },
  ): Promise<void>;
}
