// The accounts of the core that earn and launches move money between: users' books, treasuries, sales and escrows,
// found once and cached. Contains no rules.
import { type HousePurpose, isSimulatedUser } from "@clockwork/core/protocol/names";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import type { PartContext } from "@clockwork/trading/context";
import type { Book } from "@clockwork/trading/ledger/account-resolver";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";

/** Simulated users have the highest level. */
const SIMULATED_LEVEL = 3;

export interface EarnBooks {
  user(userId: number, book: Book): Promise<number | undefined>;
  house(purpose: HousePurpose, sub?: number): Promise<number | undefined>;
  /** Free and held units of a coin in an account. */
  read(account: number, asset: number): Promise<{ readonly freeUnits: bigint; readonly heldUnits: bigint }>;
  levelOf(userId: number, timeMs: number): Promise<number>;
}

export function earnBooks({ engine, ledger, accounts }: PartContext): EarnBooks {
  const houses = new Map<string, number>();
  return {
    user: (userId, book) => ledger.accounts.open(userId, book),
    async house(purpose, sub = 0) {
      const name = `${purpose}:${sub}`;
      const account = houses.get(name) ?? (await openHouseAccount(engine.submit, purpose, sub));
      if (account !== undefined) houses.set(name, account);
      return account;
    },
    async read(account, asset) {
      const row = (await ledger.openView(account)).of(ledgerView).balances.get(asset);
      return { freeUnits: row?.available_units ?? 0n, heldUnits: row?.frozen_units ?? 0n };
    },
    levelOf: async (userId, timeMs) =>
      isSimulatedUser(userId) ? SIMULATED_LEVEL : accounts.kyc.levelOf(userId, timeMs),
  };
}
