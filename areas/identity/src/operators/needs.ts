// The ports of operators: a keyed digest, the second factor, the account behind a role.

import type { Vault } from "@clockwork/host/vault";
import type { Kysely } from "kysely";

export type OperatorNeeds = Pick<Vault, "mark">;

export interface RoleNeeds {
  hasTotp(userId: number): Promise<boolean>;
  /** True while a second factor proved in this session is no older than that. */
  isVerified(sessionId: string, withinMs: number | undefined, timeMs: number): Promise<boolean>;
  /** When a second factor was last proved in this session; 0 for never. */
  provedAt(sessionId: string): Promise<number>;
  findAccount(name: string): Promise<{ readonly userId: number } | undefined>;
  /** The name of an operator in the console. */
  nameOf(userId: number): Promise<string>;
  /** Marks the account as an operator's, or as an ordinary one again, within the caller's transaction. */
  setOperator(userId: number, isOperator: boolean, inside: Kysely<unknown>): Promise<void>;
  endSessions(userId: number): Promise<void>;
}
