// Launches as operators type them.
import { expect, test } from "vitest";
import { EMPTY_LAUNCH, EMPTY_ROUND, readLaunch } from "./launch-draft.ts";

test("[EARN-2] a launch is proposed as it was typed, and instants that cannot be read are named by their fields", () => {
  const times = { opensAtMs: "2027-01-10 08:00", closesAtMs: "2027-01-10 09:00" };
  const flash = { ...EMPTY_ROUND, ...times, kind: "flash" as const, stock: "300", lot: "100" };
  const typed = { ...EMPTY_LAUNCH, projectId: " park ", listingAtMs: "2027-01-11 08:00", rounds: [flash] };
  const { body, wrong } = readLaunch(typed);
  expect(wrong).toEqual([]);
  expect(body).toMatchObject({ projectId: "park", vestFirstPercent: 100, listingAtMs: Date.UTC(2027, 0, 11, 8) });
  // Fields a flash sale lacks are derived: users have ten minutes after its end.
  expect(body.rounds[0]).toMatchObject({
    cap: "0",
    ticketUnit: "0",
    preheatAtMs: Date.UTC(2027, 0, 10, 8),
    payUntilMs: Date.UTC(2027, 0, 10, 9, 10),
  });
  expect(body.rounds[0]).not.toHaveProperty("drawAtMs");
  const shared = { ...flash, kind: "subscription" as const, drawAtMs: "2027-01-10 12:00" };
  const [subscription] = readLaunch({ ...typed, rounds: [shared] }).body.rounds;
  const noon = Date.UTC(2027, 0, 10, 12);
  expect(subscription).toMatchObject({ drawAtMs: noon, payUntilMs: noon });
  const lottery = { ...EMPTY_ROUND, ...times, opensAtMs: "tomorrow" };
  expect(readLaunch({ ...typed, listingAtMs: "", rounds: [flash, lottery] }).wrong).toEqual([
    "listingAtMs",
    "rounds.1.opensAtMs",
    "rounds.1.preheatAtMs",
    "rounds.1.payUntilMs",
  ]);
});
