// Owns the value form of an expected outcome: done with a value, or refused with a code from a closed union.
// Never carries faults or bugs; those are thrown.

export interface Done<T> {
  readonly done: true;
  readonly value: T;
}

export interface Refused<C extends string> {
  readonly done: false;
  readonly code: C;
  readonly detail?: string;
}

export type Result<T, C extends string> = Done<T> | Refused<C>;

export function done<T>(value: T): Done<T> {
  return { done: true, value };
}

export function refused<C extends string>(code: C, detail?: string): Refused<C> {
  return detail === undefined ? { done: false, code } : { done: false, code, detail };
}
