// Owns the check of every item of a list that fails for an empty list: tests use it, so that none passes on nothing.

interface List<T> {
  readonly length: number;
  every(holds: (item: T, index: number) => boolean): boolean;
}

/** Whether there is at least one item and the condition holds for each. */
export const allOf = <T>(list: List<T>, holds: (item: T, index: number) => boolean): boolean =>
  list.length > 0 && list.every((item, index) => holds(item, index));
