// The ports of the hot search: the names of what can be found.
import type { FoundBody } from "./contract.ts";

export interface FoundThing {
  readonly title: string;
  readonly category: string;
}

export interface SearchNeeds {
  /** Undefined without such a pair or article, or when it is not shown now. */
  nameOf(found: FoundBody, timeMs: number): Promise<FoundThing | undefined>;
}
