// What the ledger offers: the owners of accounts, and their state. Declarations only; part.ts implements them.
import type { CachedAccount } from "@clockwork/host/engine";
import type { PartWith } from "@clockwork/host/part";
import type { AccountResolver } from "./account-resolver.ts";
import type { LiveAccounts } from "./live-accounts.ts";
import type { PublishedReader } from "./published.ts";

export interface Ledger extends PartWith<"start" | "close">, PublishedReader {
  readonly accounts: AccountResolver;
  readonly live: LiveAccounts;
  /** The current state of an account, never older than the last answer to its owner. */
  readonly openView: (account: number) => Promise<CachedAccount>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  readonly settled: (sequence: number) => Promise<void>;
}
