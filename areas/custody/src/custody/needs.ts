// The ports of custody to the ledger; chains and coins are described in the kit. Interfaces only; the server connects
// them.
import type { Command } from "@clockwork/core/protocol/command";

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
