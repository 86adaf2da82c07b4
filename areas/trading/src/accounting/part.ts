// Connects accounting with its tables. Contains no rules.
import type { AccountingContext, AccountingNeeds } from "./needs.ts";
import { AccountingService } from "./service.ts";
import { accountingStore } from "./store.ts";

export function openAccounting(context: AccountingContext, needs: AccountingNeeds): AccountingService {
  return new AccountingService({ store: accountingStore(context.database.kysely), needs });
}
