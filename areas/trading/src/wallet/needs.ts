// What the wallet takes of the ledger, accounting, the coins and the engine.
import type { WalletBook } from "@clockwork/kit/books";
import type { AccountingService } from "../accounting/service.ts";
import type { PartContext } from "../context.ts";
import { futuresView } from "../projectors/futures/futures-view.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import type { CoinNetwork } from "./contract.ts";
import type { WalletCoins } from "./projector.ts";

export type WalletNeeds = ReturnType<typeof walletNeeds>;

export function walletNeeds(
  { engine, ledger, market }: PartContext,
  accounting: AccountingService,
  /** The chains a coin can be moved over. */
  networksOf: (symbol: string) => CoinNetwork[],
) {
  const { accounts, settled } = ledger;
  const coins: WalletCoins = market.pairs;
  return {
    coins,
    networksOf,
    settled,
    /** What a user committed to launches and paid as bonds and still owns, in USDT's units. */
    readCommitted: async (userId: number) => (await accounting.read(userId))?.record.committedUnits ?? 0n,
    openView: async (account: number) => {
      const view = await ledger.openView(account);
      return { balances: view.of(ledgerView).balances, changedSequence: view.changedSequence };
    },
    /** The remainder of each almighty gold of an account, in a coin. */
    listGold: async (account: number, asset: number): Promise<readonly bigint[]> => {
      const { bonuses } = (await ledger.openView(account)).of(futuresView);
      const own = [...bonuses.values()].filter((row) => row.asset === asset && row.state === "ACTIVE");
      return own.map(({ left_units }) => left_units);
    },
    submit: engine.submit,
    openAccount: (userId: number, book: WalletBook, sub: number) => accounts.open(userId, book, { sub }),
    listAccounts: (userId: number) => accounts.list(userId),
  };
}
