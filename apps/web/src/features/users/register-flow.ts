// The state of a registration between its screens. The password remains in this page's memory: a reload clears it and
// the form prompts again.
import { createFlow } from "#session/auth-flow.ts";

export interface RegisterFlow {
  readonly account: string;
  readonly country: string;
  readonly inviteCode: string;
  readonly sentAtMs?: number;
}

const KEEP_MS = 30 * 60_000;

export const registerFlow = createFlow<RegisterFlow>("cw_register", KEEP_MS);

let password = "";

export function keepPassword(text: string): void {
  password = text;
}

export function readPassword(): string {
  return password;
}
