// The message of an issue for a receiver.
import { expect, test } from "vitest";
import { cleanWords, mailText, nextStage, PUSH_LENGTH_MAX, pushText } from "./rules.ts";

test("[USR-7] a subject is one line, and a body keeps its lines and no control characters", () => {
  const words = cleanWords({ subject: "a\r\nBcc: b@c.example", body: " one\r\ntwo\u0000\u007f " });
  expect(words).toEqual({ subject: "a Bcc: b@c.example", body: "one\ntwo" });
});

test("[USR-7] a mail ends with the unsubscribe link; a push is the start of the text, cut between two words", () => {
  expect(mailText({ subject: "s", body: "b" }, "https://x.example/out")).toMatch(/^b\n.*https:\/\/x\.example\/out$/s);
  expect(pushText({ subject: "s", body: "a\n\nb" })).toBe("a b");
  const cut = pushText({ subject: "s", body: "word ".repeat(100) });
  expect(cut).toMatch(/word…$/);
  expect(cut.length).toBeLessThanOrEqual(PUSH_LENGTH_MAX);
});

test("[USR-7] phones come after mail, where both are selected", () => {
  expect([nextStage("both", "mail"), nextStage("newsletter", "mail"), nextStage("both", "push")]).toEqual([
    ...["push", "end", "end"],
  ]);
});
