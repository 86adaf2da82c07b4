// What trading needs from later areas; the server's composition provides it.
import type { Issuer } from "./statements/paper-rules.ts";

export interface TradingPorts {
  /** Whose fees a user pays. */
  levelOf(userId: number): Promise<number>;
  /** What an amount of tokens of a launch's order cost, rounded up; undefined for any other reference. */
  launchCost(reference: string, amountUnits: bigint): Promise<bigint | undefined>;
  /** Who issues statements. */
  readonly issuer: Issuer;
}
