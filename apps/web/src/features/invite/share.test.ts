// The shared card: its texts fit within it.
import { expect, test } from "vitest";
import { wrapWords } from "./share.ts";

test("[USR-4] text of the card is wrapped between words, never squeezed nor lost", () => {
  const fits = (line: string) => line.length <= 14;
  expect(wrapWords("Trade with me on Clockwork", fits)).toEqual(["Trade with me", "on Clockwork"]);
  expect(wrapWords("Antidisestablishment it is", fits)).toEqual(["Antidisestablishment", "it is"]);
  expect(wrapWords("short", fits)).toEqual(["short"]);
});
