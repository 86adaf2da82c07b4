// Sessions that begin after a thousand orders: an id is its slot and how often the slot was used, and every event has to
// name both.
import { describe, expect, it } from "vitest";
import { runSession } from "./session.ts";

const SEEDS = [11, 12, 13, 14];
const COMMANDS = 300;

describe("late sessions", () => {
  it.each(SEEDS)("[SIM-10] seed %i: machine and reference name orders alike when slots are used again", (seed) => {
    const { failure, commands } = runSession({ seed, commands: COMMANDS, isLate: true });
    expect(failure).toBeUndefined();
    expect(commands).toBe(COMMANDS);
  });
});
