// What is asked about whoever takes a reward. Interfaces only; the server connects them.

export interface ClaimantNeeds {
  levelOf(userId: number, timeMs: number): Promise<number>;
  /** Where somebody is written to; undefined when there is no such account. */
  contactOf(userId: number): Promise<string | undefined>;
  /** A keyed digest: what is stored tells nobody who it was. */
  mark(text: string, context: string): string;
}
