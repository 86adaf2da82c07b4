// Untrusted text in a mail remains one line of text.
import { expect, test } from "vitest";
import { writeNewsletter, writeNotice, writeTicket } from "./text-rules.ts";

test.each([
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["=HYPERLINK(1)", "=HYPERLINK(1)"],
  ["Phone\n\nIf this was not you, go to evil.example", "Phone If this was not you, go to evil.example"],
  ["a\r\nBcc: b@c.example", "a Bcc: b@c.example"],
  ["a\u2028b\u0000c", "a b c"],
  ["x".repeat(500), "x".repeat(120)],
])("[AUTH-14] a device called %j stays one line of a mail", (device, shown) => {
  const { text, subject } = writeNotice("new-device", { device, address: "192.0.2.1" });
  expect(text.split("\n\n")[1]).toBe(`Device: ${shown}`);
  expect(subject).toBe("New device signed in");
});

test("[USR-7] the newsletter's mail is plain text with its two links", () => {
  const { text } = writeNewsletter("https://x.example/newsletter?confirm=t", "https://x.example/newsletter?leave=t");
  expect(text).not.toMatch(/<[a-z]/i);
  expect(text.match(/https:/g)).toHaveLength(2);
});

test("[PAGE-1] a mail about a ticket contains its number and the status page, and requests nothing", () => {
  for (const about of ["opened", "answered"] as const) {
    const { subject, text } = writeTicket(about, "CW-1A2B-3C4D", "https://x.example/help/ticket");
    expect(subject).toContain("CW-1A2B-3C4D");
    expect(text.match(/https:\S+/g)).toEqual(["https://x.example/help/ticket"]);
    expect(text).toContain("never ask for passwords");
  }
});
