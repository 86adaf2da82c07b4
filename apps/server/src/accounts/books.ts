// Asks the core for a user's book. A repeated question is answered with the account that is there.
import type { Engine } from "../engine/engine.ts";

/** Nothing while the core cannot answer; the caller's row stays intended and is asked again. */
export function openBook(
  submit: Engine["submit"],
): (userId: number, book: "funding" | "spot", isBlocked: boolean) => Promise<number | undefined> {
  return async (user, book, isBlocked) => {
    const ack = await submit({ kind: "createAccount", user, book });
    if (ack.done !== true) return undefined;
    const account = ack.events.find((event) => event.kind === "accountCreated")?.account;
    if (account === undefined || !isBlocked) return account;
    const block = { kind: "setAccountFlags", account, blockTrading: true, blockOutgoing: true } as const;
    return (await submit(block)).done === true ? account : undefined;
  };
}
