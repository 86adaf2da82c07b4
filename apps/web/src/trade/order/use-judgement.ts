// Messages next to the fields of an order form: errors of fields the user has left, and the server's refusals.
import { useState } from "react";
import type { Fault, Faults } from "./judge.ts";

interface Refusal<Field> {
  readonly field: Field;
  readonly words: string;
}

export interface Judgement<Field extends string> {
  readonly faults: Faults<Field>;
  /** The current message of a field. */
  readonly faultOf: (field: Field) => string | undefined;
  readonly setRefusal: (refusal: Refusal<Field> | undefined) => void;
  readonly leaveField: (field: Field) => void;
  readonly enterField: (field: Field) => void;
  /** From now on every fault is shown. */
  readonly tryAll: () => void;
  readonly begin: () => void;
}

/** The field `form` is for what belongs to no single one. */
export function useJudgement<Field extends string>(
  faults: Faults<Field>,
  say: (fault: Fault) => string,
): Judgement<Field> {
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const [isTried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal<Field>>();
  return {
    faults,
    faultOf: (field) => {
      if (refusal?.field === field) return refusal.words;
      const fault = faults[field];
      if (fault === undefined) return undefined;
      // An empty field is an error when the order is sent, not while the user passes through.
      return isTried || (left.has(field) && fault.code !== "REQUIRED") ? say(fault) : undefined;
    },
    setRefusal,
    leaveField: (field) => setLeft(new Set([...left, field])),
    enterField: (field) => {
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
