// The data about a claimant of a reward. Interfaces only; the server connects them.

export interface ClaimantNeeds {
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** The contact of a user; undefined without such an account. */
  contactOf(userId: number): Promise<string | undefined>;
  /** A keyed digest: stored marks identify no one. */
  mark(text: string, context: string): string;
}
