// A withdrawal just after its request, for tests of its further course.

import type { Kysely } from "kysely";
import { type WithdrawalRow, withdrawStore } from "../withdrawals/store.ts";

export function addWithdrawal(kysely: Kysely<unknown>, row: WithdrawalRow, limitUnits = 10n ** 9n): Promise<string> {
  const payer = { userId: row.user_id, isKey: false, nowMs: row.created_ms };
  return withdrawStore(kysely).add(kysely, row, { sinceMs: 0, limitUnits }, payer, row);
}
