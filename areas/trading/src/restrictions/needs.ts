// The ports of restrictions: a user's accounts in the core, their sign-in, and letters.

export interface Blocks {
  readonly trading: boolean;
  readonly outgoing: boolean;
}

export interface RestrictionNeeds {
  /** The account's role and whether it can sign in; undefined where there is none. */
  findUser(userId: number): Promise<{ readonly role: string; readonly isFrozen: boolean } | undefined>;
  nameOf(userId: number): Promise<string>;
  /**
   * Sets the flags of every account of the user, or of those whose flags differ by the tables; false while the core
   * cannot answer.
   */
  block(userId: number, blocks: Blocks, which: "all" | "different"): Promise<boolean>;
  freeze(userId: number, timeMs: number): Promise<void>;
  unfreeze(userId: number, timeMs: number): Promise<boolean>;
  suspendWithdrawals(userId: number): Promise<void>;
  resumeWithdrawals(userId: number): Promise<void>;
  endSessions(userId: number): Promise<void>;
  identityLevelOf(userId: number, timeMs: number): Promise<number>;
  hasTotp(userId: number): Promise<boolean>;
  /** Removes the authenticator, ends every session and suspends withdrawals for a while. */
  resetFactor(userId: number, timeMs: number): Promise<void>;
  notify(userId: number, notice: { readonly title: string; readonly body: string }, timeMs: number): Promise<void>;
  readonly report: (fact: string, fields: Readonly<Record<string, unknown>>) => void;
}
