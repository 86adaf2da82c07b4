// What the hot search wants from others: the names of the things that can be found.
import type { FoundBody } from "./contract.ts";

export interface FoundThing {
  readonly title: string;
  readonly category: string;
}

export interface SearchNeeds {
  /** Nothing when there is no such pair or article, or it is not shown now. */
  nameOf(found: FoundBody, timeMs: number): Promise<FoundThing | undefined>;
}
