// All time zones that are offered, for lists to choose from.
import type { TimezoneName } from "./constants.ts";
import { BETWEEN_MINUTES, EAST_MINUTES, nameOffset, WEST_MINUTES } from "./timezone.ts";

const WHOLE_MINUTES = Array.from(
  { length: (EAST_MINUTES - WEST_MINUTES) / 60 + 1 },
  (_, hour) => WEST_MINUTES + hour * 60,
);

/** From west to east. */
export const TIMEZONES: readonly TimezoneName[] = [...WHOLE_MINUTES, ...BETWEEN_MINUTES]
  .sort((left, right) => left - right)
  .map(nameOffset);
