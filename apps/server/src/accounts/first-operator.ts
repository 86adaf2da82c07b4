// The operator account of a fresh installation: made once, its password shown once to whoever started the process.
import { randomInt } from "node:crypto";
import type { Config } from "../config.ts";
import type { Accounts } from "./accounts.ts";

const LETTERS = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 20;

/** Without anybody to tell, no account is made: its password would be lost. */
export async function announceOperator(
  accounts: Pick<Accounts, "users" | "operators" | "roles">,
  config: Pick<Config, "operatorEmail">,
  announce: ((line: string) => void) | undefined,
  timeMs: number,
): Promise<void> {
  if (announce === undefined) return;
  const email = config.operatorEmail.toLowerCase();
  const password = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
  const operatorId = await accounts.users.createOperator(email, `${password}-1`, timeMs);
  const first = operatorId ?? (await accounts.users.findOperator());
  if (first !== undefined) await accounts.roles.ensureAdmin(first, timeMs);
  if (operatorId === undefined) return;
  await accounts.operators.record(
    { operatorId, action: "operator.created", subject: String(operatorId), detail: "first start", address: "" },
    timeMs,
  );
  announce(`operator account ${email}, password ${password}-1 (shown this once)`);
}
