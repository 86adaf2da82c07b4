// Owns the one way to stop on a bug: an assertion that names the rule it guards. Never used for expected refusals
// (those are values) nor for faults of outside systems (those are thrown).

export class RuleViolation extends Error {
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.name = "RuleViolation";
    this.rule = rule;
  }
}

export function assert(condition: boolean, rule: string, detail: string): asserts condition {
  if (!condition) throw new RuleViolation(rule, detail);
}

/** For lookups the surrounding code has proved to succeed; an absent value is a bug, not a case. */
export function present<T>(value: T | undefined | null, rule: string, detail: string): T {
  if (value === undefined || value === null) throw new RuleViolation(rule, detail);
  return value;
}
