// The messages between the hash pool and its threads, and the cost of a hash.

export type HashTask =
  | { readonly id: number; readonly kind: "hash"; readonly password: string }
  | { readonly id: number; readonly kind: "verify"; readonly password: string; readonly hash: string };

/** The parameters of a thread. */
export interface HashThread {
  /** Run only on otherwise idle processor time. */
  readonly givesWay: boolean;
}

export interface HashAnswer {
  readonly id: number;
  readonly value?: boolean | string;
  readonly fault?: string;
}

/** argon2id with 19 MiB and two passes: the OWASP minimum. Two is the library's number for argon2id. */
export const HASH_COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
