// Replays what every release has recorded. `npm run corpus` writes it; docs/decisions/0081 says when.
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { KNOWN_RULES } from "@clockwork/core/protocol/rules";
import { describe, expect, it } from "vitest";
import { checkJournal, compare, listMissing, listReleases, numberRules, readExpected, replay } from "./corpus.ts";
import { playProducts } from "./products.ts";

const recorded = listReleases().flatMap((release) => {
  const { rules, journals } = readExpected(release);
  return rules < KNOWN_RULES.oldest ? [] : Object.entries(journals).map(([name, state]) => ({ release, name, state }));
});

describe("[OPS-6] the journals of every release", () => {
  const accepted = new Set<string>();

  it.each(recorded)(
    "$release $name leads to the events, tables and hash it led to then",
    ({ release, name, state }) => {
      const replayed = checkJournal(release, name, state);
      expect(replayed.problems).toEqual([]);
      for (const kind of replayed.accepted) accepted.add(kind);
    },
  );

  it("carry out every kind of command", () => {
    expect(recorded.length).toBeGreaterThan(15);
    expect(listMissing(accepted)).toEqual([]);
  });
});

it("[OPS-6] a journal that is decided otherwise is reported with the events and tables that differ", () => {
  const journal = numberRules(playProducts(), KNOWN_RULES.newest);
  const { outcome } = replay(journal);
  expect(compare("same", outcome, replay(journal).outcome)).toEqual([]);
  const other = journal.map((command) => command.slice());
  const last = other.at(-1) as Uint8Array;
  const bytes = new Uint8Array(256);
  const length = encodeCommand({ kind: "setUserFees", user: 101, spotMakerRate: 7 }, bytes);
  const view = new DataView(last.buffer);
  stampCommand(new DataView(bytes.buffer), 0, other.length, view.getFloat64(16, true));
  other[other.length - 1] = bytes.slice(0, length);
  const problems = compare("other", outcome, replay(other).outcome);
  for (const part of [
    "other: events posting differ",
    "other: table cells differs",
    "other: events userFeesChanged differ",
  ])
    expect(problems).toContain(part);
  expect(problems).toContainEqual(expect.stringMatching(/^other: state [0-9a-f]+, not /));
});
