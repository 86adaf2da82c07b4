// What codes want from others.

export interface CodeNeeds {
  /** A keyed digest nobody else can make. */
  mark(text: string, context: string): string;
  /** A whole number from 0 to bound − 1 nobody can foretell. */
  randomBelow(bound: number): number;
}
