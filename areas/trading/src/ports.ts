// What trading needs from later areas; the server's composition provides it.
import type { Issuer } from "./statements/paper-rules.ts";

export interface TradingPorts {
  /** The fee level of a user. */
  levelOf(userId: number): Promise<number>;
  /** The cost of tokens of a launch's order, rounded up; undefined for any other reference. */
  launchCost(reference: string, amountUnits: bigint): Promise<bigint | undefined>;
  /** Who issues statements. */
  readonly issuer: Issuer;
}
