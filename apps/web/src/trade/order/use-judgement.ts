// What stands beside the fields of the order form: faults of fields a person has been through, and what the server said.
import { useState } from "react";
import { type Faults, findFaults } from "../../features/spot/form-rules.ts";
import type { FieldName, FormState, FormWorld } from "../../features/spot/form-state.ts";
import { isSpotKey, type SpotSpeak } from "../../features/spot/spot-text.ts";

interface Refusal {
  readonly field: FieldName;
  readonly words: string;
}

export type Judgement = ReturnType<typeof useJudgement>;

export function useJudgement(state: FormState, world: FormWorld, text: SpotSpeak) {
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set());
  const [isTried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const faults = findFaults(state, world);
  const faultOf = (field: FieldName): string | undefined => {
    if (refusal?.field === field) return refusal.words;
    const fault = faults[field];
    if (fault === undefined) return undefined;
    // An empty field is asked for when the order is sent, not while a person passes through.
    const isShown = isTried || (left.has(field) && fault.code !== "REQUIRED");
    return isShown ? sayFault(text, faults, field, world) : undefined;
  };
  return {
    faults,
    faultOf,
    setRefusal,
    leaveField: (field: FieldName) => setLeft(new Set([...left, field])),
    enterField: (field: FieldName) => {
      if (refusal?.field === field || refusal?.field === "form") setRefusal(undefined);
    },
    tryAll: () => setTried(true),
    begin: () => {
      setLeft(new Set());
      setTried(false);
      setRefusal(undefined);
    },
  };
}

function sayFault(text: SpotSpeak, faults: Faults, field: FieldName, world: FormWorld): string {
  const fault = faults[field];
  const key = `fault.${fault?.code}`;
  return isSpotKey(key) ? text(key, { limit: fault?.limit ?? "", quote: world.pair.quote }) : text("fault.ILLEGAL");
}
