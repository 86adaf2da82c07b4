// Identifies the caller: tries the identifiers that parts register, in order, until one recognises the credential. Owns
// only the order: the meaning of a cookie, a token or a signature belongs to its identifier.

import type { Call, Identified, Identifier } from "@clockwork/host/call";
import { VISITOR } from "@clockwork/kit/caller";

export type Identify = (call: Call) => Identified | Promise<Identified>;

export function identifyBy(identifiers: readonly Identifier[]): Identify {
  const wait = async (call: Call, requested: Promise<Identified | undefined>, next: number): Promise<Identified> => {
    let found = await requested;
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
