// What custody needs from later areas; the server's composition provides it.

export interface CustodyPorts {
  /**
   * A user's purchases with outside money that may not be withdrawn yet: their worth in USDT's units, and until when.
   */
  listBought(userId: number): Promise<readonly { readonly worthUnits: bigint; readonly untilMs: number }[]>;
  /** The daily limit in USDT's units with the factor of the user's level. */
  raiseLimit(limitUnits: bigint, user: { readonly userId: number; readonly identityLevel: number }): Promise<bigint>;
}
