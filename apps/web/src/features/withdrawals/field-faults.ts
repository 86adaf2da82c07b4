// What the exchange said is wrong with a field, shown beside it until something is changed.
import { useState } from "react";
import type { Failed } from "#live/answer.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

const FIELDS = ["amount", "address", "to"] as const;
export type FieldFaults = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

export function useFieldFaults() {
  const words = useAuthText();
  const [faults, setFaults] = useState<FieldFaults>({});
  return {
    faults,
    clear: () => setFaults({}),
    /** True where it is about one of the fields. */
    refuse: (failed: Failed): boolean => {
      const field = FIELDS.find((name) => failed.fields?.[`body.${name}`] !== undefined);
      if (field === undefined) return false;
      setFaults({ [field]: describeFailure(words, failed) });
      return true;
    },
  };
}
