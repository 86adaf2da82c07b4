// The ports of codes.

export interface CodeNeeds {
  /** A keyed digest. */
  mark(text: string, context: string): string;
  /** An unpredictable whole number from 0 to bound − 1. */
  randomBelow(bound: number): number;
}
