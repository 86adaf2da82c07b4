// What positions take of the engine, the ledger and the listed contracts.
import type { PartContext } from "../context.ts";
import type { BookChoice, FuturesView } from "./account-view.ts";
import type { FuturesBooks } from "./books.ts";
import type { FuturesLook } from "./views.ts";

export type PositionNeeds = ReturnType<typeof positionNeeds>;

export function positionNeeds({ engine, ledger }: PartContext, books: FuturesBooks, look: FuturesLook) {
  const openView = async (account: number): Promise<FuturesView> => look.viewOf(await ledger.openView(account));
  return {
    contracts: look.contracts,
    submit: engine.submit,
    openView,
    settled: ledger.settled,
    openAccount: books.open,
    listViews: async (userId: number, choice: BookChoice): Promise<readonly FuturesView[]> => {
      const owned = await books.list(userId, choice);
      if (owned.length > 0) await look.indicators.ready();
      return Promise.all(owned.map(({ account }) => openView(account)));
    },
  };
}
