// Whose call is it? Asks the identifiers that parts register, in order, until one knows. Owns the order alone: what a
// cookie, a token or a signature stands for is each identifier's own business.
import { type Caller, VISITOR } from "@clockwork/kit/caller";
import type { Call } from "./call.ts";
import type { Refusal } from "./refusal.ts";

/** A caller, or why whoever claims to be one is turned away. */
export type Identified = Caller | { readonly kind: "refused"; readonly refusal: Refusal };

/** One way to prove who calls. A part lists its own in `identifiers`. */
export interface Identifier {
  readonly name: string;
  /** Undefined when the call carries nothing of this kind, or nothing that stands for anybody: the next one is asked.
   *  Answers at once when it can; a promise costs every call a turn. */
  identify(call: Call): Identified | undefined | Promise<Identified | undefined>;
}

export type Identify = (call: Call) => Identified | Promise<Identified>;

export function identifyBy(identifiers: readonly Identifier[]): Identify {
  const wait = async (call: Call, asked: Promise<Identified | undefined>, next: number): Promise<Identified> => {
    let found = await asked;
    for (let index = next; found === undefined && index < identifiers.length; index += 1) {
      found = await identifiers[index]?.identify(call);
    }
    return found ?? VISITOR;
  };
  return (call) => {
    if (call.caller !== undefined) return call.caller;
    for (let index = 0; index < identifiers.length; index += 1) {
      const found = identifiers[index]?.identify(call);
      if (found instanceof Promise) return wait(call, found, index + 1);
      if (found !== undefined) return found;
    }
    return VISITOR;
  };
}
