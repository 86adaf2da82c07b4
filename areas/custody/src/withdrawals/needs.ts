// What withdrawals want of the ledger, of people's accounts and of what else decides about them; chains and coins are described
// in the kit. Interfaces only; the server connects them.
import type { Command } from "@clockwork/core/protocol/command";
import type { Chain, ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { Limits } from "./contract.ts";
import type { AddressRefusal } from "./rules.ts";
import type { SendingRow } from "./sending-store.ts";
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

/** What security decides about money that leaves. */
export interface RightNeeds {
  /** One transaction for what was proved: refused when security changed since its version was read, or the account is frozen. */
  changeAt<Value, Code extends string>(
    userId: number,
    version: number | undefined,
    write: (inside: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<Result<Value, Code | "OVERTAKEN">>;
  /** True while nothing of somebody's may begin to leave: the account is frozen, or withdrawals rest. */
  isHeld(userId: number): Promise<boolean>;
}

/** Who is behind a name, asked only for somebody who has proved himself. */
export interface NameNeeds {
  /** By e-mail, phone or number; nothing for whoever cannot be paid, as operators. */
  findUser(name: string): Promise<number | undefined>;
  /** One at a time for each user; `false` counts as a try. Answers how long to wait where nothing was judged. */
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
  /** What somebody may withdraw in 24 hours, as decimal text in USDT. */
  limitOf(userId: number): Promise<string>;
  levelOf(userId: number): Promise<number>;
  listLocks(
    userId: number,
    inside?: Kysely<unknown>,
  ): Promise<readonly { readonly cause: string; readonly endsAtMs: number }[]>;
  protection(userId: number): Promise<Pick<Limits, "hasTradePassword" | "hasPasskeys" | "codeBy">>;
  addressProblem(address: string): AddressRefusal | undefined;
  /** Whose deposit address it is, on whatever network. */
  ownerOf(address: string): Promise<number | undefined>;
  /** Whether there is a contract at an address; undefined while no node answers. */
  hasCode(network: string, contract: string): Promise<boolean | undefined>;
  confirmationsOf(row: WithdrawalRow): number;
  /** Why a person should read it; none when nobody needs to. Rejects while that cannot be said. */
  reasonsOf(row: WithdrawalRow): Promise<readonly string[]>;
  isPaused(network: string): boolean;
  randomId(): string;
  /** Something is to be sent, or a list changed. */
  wake(network: string): void;
  changed(userId: number): void;
}

/** A payment that can begin, without number and fee. */
export type Chosen = Pick<SendingRow, "asset" | "chain_units" | "key" | "receiver" | "gas">;

/** Decides what leaves together. */
export interface BatchNeeds {
  plan(at: {
    readonly network: Network;
    readonly chain: Chain;
    readonly hot: string;
    readonly waiting: readonly Chosen[];
    readonly open: readonly SendingRow[];
  }): Promise<{
    /** Without parts where it leaves by itself. */
    readonly payments: readonly (Chosen & { readonly parts: readonly Chosen[] })[];
    /** A token the contract that pays many must be let move first. */
    readonly allow: { readonly asset: string; readonly isReset: boolean } | undefined;
  }>;
  /** What was asked for by a plan is on its way. */
  allowing(network: Network, allow: { readonly asset: string; readonly isReset: boolean }): void;
  /** The signer refused them together. */
  payAlone(withdrawalIds: readonly string[]): void;
}

export interface PayoutNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly ledger: LedgerNeeds;
  readonly now: () => number;
  /** Rejects with the policy's code as message, or with something else while the signer is away. */
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
    /** Gas for the deposit address of this user, in place of a payment. */
    readonly topUpFor: number | undefined;
    /** Lets the contract that pays many move more of a token, or nothing any more, in place of a payment. */
    readonly allow: "renew" | "reset" | undefined;
    /** Several that leave together, in place of one. */
    readonly parts: readonly { readonly key: string; readonly to: string; readonly units: string }[] | undefined;
  }): Promise<{ readonly raw: string; readonly hash: string }>;
  readonly batches: BatchNeeds;
  isHeld: RightNeeds["isHeld"];
  /** True where its owner is held: it went back to be looked at, and waits there. */
  holdBack(row: WithdrawalRow): Promise<boolean>;
  isPaused(network: string): boolean;
  /** Nothing more is sent over it until people have looked. */
  pause(network: string, cause: string): Promise<void>;
  settle(row: WithdrawalRow): Promise<boolean>;
  changed(userId: number): void;
  notify(row: WithdrawalRow, what: "done" | "failed"): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
