// Asks the core for a user's book. A repeated question is answered with the account that is there.
import type { Engine } from "../engine/engine.ts";

/** Nothing while the core cannot answer; the caller's row stays intended and is asked again. */
export function openBook(
  submit: Engine["submit"] | undefined,
): (userId: number, book: "funding" | "spot") => Promise<number | undefined> {
  return async (user, book) => {
    const ack = await submit?.({ kind: "createAccount", user, book });
    if (ack?.done !== true) return undefined;
    for (const event of ack.events) if (event.kind === "accountCreated") return event.account;
    return undefined;
  };
}
