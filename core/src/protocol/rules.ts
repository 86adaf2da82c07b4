// Owns the numbered rules: what a release decides otherwise than the releases before it, each way under its number. A journal says
// which are in force (setRules), and its commands are decided by them for ever; docs/decisions/0080. An entry never changes once
// a release has it. What all known rules decide alike is not here.

export interface Rules {
  readonly number: number;
  /** How long a money reference stays known, in journal time. */
  readonly referenceRetentionMs: number;
}

/** A journal is decided by these until it says otherwise. */
export const FIRST_RULES = 1;

/**
 * All that this release knows, by number. Every entry has the same members in the same order, so that reading one is a load. What a
 * fast path decides is the same in all of them: where rules differ, the path is left to the general one.
 */
export const RULES: readonly Rules[] = [{ number: 1, referenceRetentionMs: 90 * 86_400_000 }];

export interface KnownRules {
  readonly oldest: number;
  readonly newest: number;
}

/** The lowest and the highest number of them. */
export const KNOWN_RULES: KnownRules = { oldest: numberOf(RULES[0]), newest: numberOf(RULES.at(-1)) };

function numberOf(rules: Rules | undefined): number {
  return rules?.number ?? FIRST_RULES;
}
