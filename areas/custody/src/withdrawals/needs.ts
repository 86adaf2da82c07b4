// The ports of withdrawals: the ledger, users' accounts and further checks; chains and coins are described in the kit.
// Interfaces only; the server connects them.
import type { Command } from "@clockwork/core/protocol/command";
import type { ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { BatchService } from "../payouts/service.ts";
import type { Limits, Locked } from "./contract.ts";
import type { AddressRefusal } from "./rules.ts";
import type { WithdrawalRow } from "./store.ts";

export interface LedgerAnswer {
  readonly done: boolean;
  readonly code?: string;
}

export interface LedgerNeeds {
  submit(command: Command): Promise<LedgerAnswer>;
  /** The core's account behind a user's spot book, opened if there is none. */
  openAccount(userId: number, book?: "spot" | "funding"): Promise<number | undefined>;
  availableUnits(account: number, asset: number): Promise<bigint>;
}

/** Security checks of outgoing money. */
export interface RightNeeds {
  /**
   * One transaction for a proved change: refused when security changed since its version was read, or the account is
   * frozen.
   */
  changeAt<Value, Code extends string>(
    userId: number,
    version: number | undefined,
    write: (inside: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<Result<Value, Code | "OVERTAKEN">>;
  /** True while no outgoing movement may start: the account is frozen, or withdrawals are suspended. */
  isHeld(userId: number): Promise<boolean>;
}

/** The user behind a name, read only for callers who have proved themselves. */
export interface NameNeeds {
  /** By e-mail, phone or number; undefined for accounts that cannot be paid, such as operators. */
  findUser(name: string): Promise<number | undefined>;
  /** One at a time for each user; `false` counts as a try. Returns the time to wait where nothing was judged. */
  judge(
    userId: number,
    isRight: () => Promise<false | undefined>,
  ): Promise<{ readonly retryAfterSeconds: number } | undefined>;
}

export interface WithdrawNeeds extends RightNeeds, NameNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly ledger: LedgerNeeds;
  readonly now: () => number;
  /** A user's withdrawal limit in 24 hours, as decimal text in USDT. */
  limitOf(userId: number): Promise<string>;
  levelOf(userId: number): Promise<number>;
  /** The part of a user's worth that is locked, and what may leave of each coin. */
  locked(userId: number): Promise<Pick<Locked, "mayLeaveUsdt" | "withdrawable">>;
  listLocks(
    userId: number,
    inside?: Kysely<unknown>,
  ): Promise<readonly { readonly cause: string; readonly endsAtMs: number }[]>;
  protection(userId: number): Promise<Pick<Limits, "hasTradePassword" | "hasPasskeys" | "codeBy">>;
  addressProblem(address: string): AddressRefusal | undefined;
  /** The owner of a deposit address, on any network. */
  ownerOf(address: string): Promise<number | undefined>;
  /** Whether an address has a contract; undefined while no node is available. */
  hasCode(network: string, contract: string): Promise<boolean | undefined>;
  confirmationsOf(row: WithdrawalRow): number;
  /** Why it needs a review; empty when it needs none. Rejects while that cannot be determined. */
  reasonsOf(row: WithdrawalRow): Promise<readonly string[]>;
  isPaused(network: string): boolean;
  randomId(): string;
  /** Something is to be sent, or a list changed. */
  wake(network: string): void;
  changed(userId: number): void;
}

export interface PayoutNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly ledger: LedgerNeeds;
  readonly now: () => number;
  /** Rejects with the policy's code as message, or with another error while the signer is unavailable. */
  sign(ask: {
    readonly key: string;
    readonly network: string;
    readonly asset: string;
    readonly to: string;
    readonly units: string;
    readonly nonce: number;
    readonly gas: string;
    readonly maxFee: string;
    readonly tip: string;
    /** Gas for the deposit address of this user, instead of a payment. */
    readonly topUpFor: number | undefined;
    /** Renews or resets the batch payout contract's allowance of a token, in place of a payment. */
    readonly allow: "renew" | "reset" | undefined;
    /** The parts of a batch, instead of a single payment. */
    readonly parts: readonly { readonly key: string; readonly to: string; readonly units: string }[] | undefined;
  }): Promise<{ readonly raw: string; readonly hash: string }>;
  /** Decides which payments are batched. */
  readonly batches: Pick<BatchService, "plan" | "allowing" | "payAlone">;
  isHeld: RightNeeds["isHeld"];
  /** True where its owner is held: it went back to review, and waits there. */
  holdBack(row: WithdrawalRow): Promise<boolean>;
  isPaused(network: string): boolean;
  /** Stops payments over it until operators have reviewed. */
  pause(network: string, cause: string): Promise<void>;
  settle(row: WithdrawalRow): Promise<boolean>;
  changed(userId: number): void;
  notify(row: WithdrawalRow, what: "done" | "failed"): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
