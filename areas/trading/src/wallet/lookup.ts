// Connects the operators' user lookup with accounts, identity and the worth of the user's books.

import type { Part } from "@clockwork/host/part";
import { lookupRoutes } from "@clockwork/identity/users/lookup-routes";
import { userStore } from "@clockwork/identity/users/store";
import { formatUnits, units } from "@clockwork/kit/money";
import type { PartContext } from "../context.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";

const WORTH_SCALE = 6;

export function lookupPart({ database, audit, accounts, ledger, market }: PartContext): Part {
  return {
    routes: lookupRoutes({
      store: userStore(database.kysely),
      audit,
      levelOf: (userId, timeMs) => accounts.kyc.levelOf(userId, timeMs),
      worthOf: async (userId) => {
        let sum = 0n;
        for (const { account } of await ledger.accounts.list(userId)) {
          const { balances } = (await ledger.openView(account)).of(ledgerView);
          for (const row of balances.values()) {
            sum += market.pairs.worthUnits(row.asset, row.available_units + row.frozen_units) ?? 0n;
          }
        }
        return formatUnits(units(sum), WORTH_SCALE);
      },
    }),
  };
}
