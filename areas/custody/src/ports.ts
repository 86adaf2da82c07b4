// What custody needs from later areas; the server's composition provides it.

export interface CustodyPorts {
  /** What a user bought with money from outside and may not take out yet: its worth in USDT's units, and until when. */
  listBought(userId: number): Promise<readonly { readonly worthUnits: bigint; readonly untilMs: number }[]>;
  /** The daily limit in USDT's units with the factor of the user's level. */
  raiseLimit(limitUnits: bigint, user: { readonly userId: number; readonly identityLevel: number }): Promise<bigint>;
}
