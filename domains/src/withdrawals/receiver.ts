// Whom a name means. Looked up only for somebody who has proved himself or whom his address book binds, one name at a time, and
// so many a day: nobody learns by asking who has an account.
import { type Result, refused } from "@clockwork/kit/result";
import type { NameNeeds } from "./needs.ts";
import type { WithdrawRefusal } from "./rules.ts";

/** What came of a name; `isKnown` where the asker learned nothing new by it. */
interface Named<Value> {
  readonly outcome: Result<Value, WithdrawRefusal>;
  readonly isKnown: boolean;
}

export async function findByName<Value>(
  { findUser, judge }: NameNeeds,
  userId: number,
  name: string,
  goOn: (receiver: number | undefined) => Promise<Named<Value>>,
): Promise<Result<Value, WithdrawRefusal>> {
  let outcome: Result<Value, WithdrawRefusal> | undefined;
  const wait = await judge(userId, async () => {
    const named = await goOn(await findUser(name));
    outcome = named.outcome;
    return named.isKnown ? undefined : false;
  });
  return outcome ?? refused("TOO_MANY_TRIES", String(wait?.retryAfterSeconds ?? 1));
}
