// Administrators of a new installation: one account for each configured address, made only once, its password shown
// once to the operator who started the process. Existing accounts are never promoted.
import { randomInt } from "node:crypto";
import type { Config } from "@clockwork/host/settings/config";
import type { Accounts } from "../offers.ts";

const LETTERS = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 20;

/** Without a receiver for the password no account is made: the password would be lost. */
export async function announceOperators(
  accounts: Pick<Accounts, "users" | "operators" | "roles">,
  { operatorEmails }: Pick<Config, "operatorEmails">,
  announce: ((line: string) => void) | undefined,
  timeMs: number,
): Promise<void> {
  if (announce === undefined) return;
  const { users, operators, roles } = accounts;
  await roles.adopt(operatorEmails, timeMs);
  for (const email of operatorEmails) {
    if (await roles.isFounder(email)) continue;
    const password = `${Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("")}-1`;
    const operatorId = await users.createOperator(email, password, timeMs);
    const known = operatorId === undefined ? await users.findByName({ kind: "email", value: email }) : undefined;
    if (operatorId !== undefined) {
      const made = { operatorId, subject: String(operatorId), address: "" };
      await operators.record({ ...made, action: "operator.created", detail: email }, timeMs);
      await roles.found(email, { userId: operatorId, isNew: true }, timeMs);
      announce(`operator account ${email}, password ${password} (shown this once)`);
    } else {
      // A start that stopped between creating the account and its role resumes; another user's account is unchanged.
      const left = known?.role === "operator" ? { userId: known.id, isNew: false } : undefined;
      await roles.found(email, left, timeMs);
    }
  }
}
