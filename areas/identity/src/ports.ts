// What identity needs from other areas; the server's composition provides it.
import type { UserNeeds } from "./users/needs.ts";

export interface IdentityPorts {
  readonly openBook: UserNeeds["openBook"];
  readonly findLink: UserNeeds["findLink"];
  /** Operators suspended the account's sign-in. */
  readonly isHeldByOperator: (userId: number) => Promise<boolean>;
  readonly vipLevelOf: (userId: number) => Promise<number>;
  /** Whether anything is left in one of the user's wallet accounts. */
  readonly holdsAssets: (userId: number) => Promise<boolean>;
}
