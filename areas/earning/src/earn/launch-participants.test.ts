import { expect, test } from "vitest";
import type { LaunchService } from "../launchpad/service.ts";
import type { LaunchStore, RoundRow } from "../launchpad/store.ts";
import { PEOPLE, personOf } from "./default-launches.ts";
import { LaunchParticipants } from "./launch-participants.ts";

const NOW_MS = 20_000 * 86_400_000;
type Joined = {
  readonly userId: number;
  readonly roundId: string;
  readonly amount?: string;
  readonly autoPay?: boolean;
};

/** Participants for open rounds, and the recorded requests to join. */
function gather(...open: readonly Pick<RoundRow, "round_id" | "kind">[]) {
  const rounds = [...open];
  const joined: Joined[] = [];
  const store = { listOpenSimulated: async () => rounds } as unknown as LaunchStore;
  const launches = {
    join: async (userId: number, body: Omit<Joined, "userId">) => {
      joined.push({ userId, ...body });
      // Some have no ticket: that is an answer, and the next one is processed.
      return userId % 5 === 0 ? { done: false, code: "NO_TICKETS" } : { done: true, value: null };
    },
  } as unknown as LaunchService;
  return { participants: new LaunchParticipants(store, launches), rounds, joined };
}

test("[EARN-2] simulated participants join a few at a time, each once, until all are in", async () => {
  const { participants, joined } = gather({ round_id: "r1", kind: "subscription" });
  await participants.join(NOW_MS);
  expect(joined.length).toBeGreaterThan(0);
  expect(joined.length).toBeLessThan(PEOPLE);
  for (let turns = 0; turns < PEOPLE; turns++) await participants.join(NOW_MS);
  expect(joined.map(({ userId }) => userId)).toEqual(
    Array.from({ length: PEOPLE }, (_, index) => personOf(index).userId),
  );
  for (const { amount } of joined) expect(Number(amount)).toBeGreaterThanOrEqual(50);
});

test("[EARN-2] in a lottery some participants have auto-pay; each round has its own line", async () => {
  const { participants, rounds, joined } = gather({ round_id: "first", kind: "lottery" });
  for (let turns = 0; turns < 10; turns++) await participants.join(NOW_MS);
  expect(new Set(joined.map(({ autoPay }) => autoPay))).toEqual(new Set([true, false]));
  const before = joined.length;
  rounds.splice(0, 1, { round_id: "second", kind: "subscription" });
  await participants.join(NOW_MS);
  const [newcomer] = joined.slice(before);
  expect(newcomer).toMatchObject({ roundId: "second", userId: personOf(0).userId });
  // Closed and open again, as after a restart: all request again and keep their entry.
  rounds.splice(0, 1, { round_id: "first", kind: "lottery" });
  await participants.join(NOW_MS);
  expect(joined.at(-1)?.roundId).toBe("first");
  expect(joined.filter(({ roundId }) => roundId === "first").slice(before)[0]?.userId).toBe(personOf(0).userId);
});
