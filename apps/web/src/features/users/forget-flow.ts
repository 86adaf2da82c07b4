// What setting a new password remembers between its screens.
import { createFlow } from "#session/auth-flow.ts";

export interface ForgetFlow {
  readonly account: string;
  readonly sentAtMs: number;
  readonly ticket?: string;
  readonly needsTotp?: boolean;
}

const KEEP_MS = 10 * 60_000;

export const forgetFlow = createFlow<ForgetFlow>("cw_forget", KEEP_MS);
