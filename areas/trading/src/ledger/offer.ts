// What the ledger offers: whose account is whose, and what accounts have. Declarations alone; part.ts implements them.
import type { CachedAccount } from "@clockwork/host/engine";
import type { PartWith } from "@clockwork/host/part";
import type { AccountResolver } from "./account-resolver.ts";
import type { LiveAccounts } from "./live-accounts.ts";
import type { PublishedReader } from "./told.ts";

export interface Ledger extends PartWith<"start" | "close">, PublishedReader {
  readonly accounts: AccountResolver;
  readonly live: LiveAccounts;
  /** What an account has now, never older than the last answer its owner was given. */
  readonly openView: (account: number) => Promise<CachedAccount>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  readonly settled: (sequence: number) => Promise<void>;
}
