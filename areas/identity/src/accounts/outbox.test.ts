// The outbox of a demo run: it answers requests with invalid characters, and mails in it remain text.
import Fastify from "fastify";
import { expect, test } from "vitest";
import { mountOutbox, type OutboxEntry } from "./outbox.ts";

const HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)"> =HYPERLINK("x") & </pre>';

function open(entries: readonly OutboxEntry[] = []) {
  const requested: (string | undefined)[] = [];
  const app = Fastify();
  mountOutbox(app, async (to) => {
    requested.push(to);
    return entries;
  });
  return { app, requested };
}

test.each([
  ["%00", ""],
  ["a%00b%40x.example", "ab@x.example"],
  ["%00%00", ""],
  ["x".repeat(600), "x".repeat(254)],
])(
  "[AUTH-14] the outbox requested for %s answers, and the query omits what the database cannot store",
  async (to, read) => {
    const { app, requested } = open();
    for (const path of ["/dev/outbox.json", "/dev/outbox"])
      expect((await app.inject(`${path}?to=${to}`)).statusCode).toBe(200);
    expect(requested).toEqual([read, read]);
    expect((await app.inject("/dev/outbox?to=a&to=b")).statusCode).toBe(200);
  },
);

test("[AUTH-14] markup in a mail is text on the outbox's page", async () => {
  const { app } = open([
    { to: HOSTILE, kind: HOSTILE, subject: HOSTILE, text: HOSTILE, code: null, unsubscribeUrl: null, at: 0 },
  ]);
  const page = (await app.inject("/dev/outbox")).body;
  expect(page).not.toMatch(/<script|<img/);
  expect(page.match(/&lt;script>alert/g)).toHaveLength(4);
});
