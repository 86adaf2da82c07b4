// The support forms over a listening server, on both databases, with real pictures.

import { openVault } from "@clockwork/identity/accounts/secret-key";
import { refused } from "@clockwork/kit/result";
import { openClock } from "@clockwork/server/clock/clock";
import { type ServedApp, serveApp } from "@clockwork/server/http/app-fixture";
import { openPictures } from "@clockwork/server/pictures/pictures";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SupportConsole } from "./console-service.ts";
import { consoleStore } from "./console-store.ts";
import type { TicketTable } from "./contract.ts";
import { type Support, supportPart } from "./part.ts";
import { supportStore } from "./store.ts";

const AT_MS = Date.UTC(2026, 10, 15, 12);
const RESTING = "resting@example.com";
const COMPLAINT = { kind: "complaint", name: "Ada", email: "ada@example.com", message: "My order was late." };

forEachMigrated("support over HTTP", (place) => {
  let served: ServedApp;
  let support: Support;
  let isSolved = true;
  const pictures = openPictures();
  const vault = openVault(Buffer.alloc(32, 7));
  const mails: { to: string; subject: string; text: string }[] = [];

  beforeAll(async () => {
    await migrate(place.database(), collectMigrations(ROOT_FOLDER));
    const context: Parameters<typeof supportPart>[0] = {
      database: place.database(),
      pictures,
      accounts: {
        isCaptchaSolved: async () => isSolved,
        findPerson: async () => undefined,
        origin: "https://exchange.example",
        mayWriteTo: async (email) => email !== RESTING,
        sendMail: async (to, words) => {
          mails.push({ to, ...words });
        },
        guard: vault,
        notices: { register: () => undefined, notify: async () => true },
        roles: { me: async () => refused("FORBIDDEN") },
      },
      live: { publish: () => undefined, isOpen: () => false, tap: () => undefined, endSessions: () => undefined },
      clock: openClock(),
      isTestMoney: false,
      config: { chatUrl: undefined, chatAppId: "", chatSecret: "", simulatedReviewer: "off" },
      audit: { record: async () => undefined },
      mayOperate: async () => true,
    };
    support = supportPart(context, { levelOf: (userId) => userId });
    // Each test opens a few tickets; the hourly limit has a test of its own in the limiter.
    const routes = support.routes.map(({ rate: _, ...route }) => route);
    served = await serveApp({ routes, clock: () => AT_MS });
  });
  afterAll(async () => {
    await served?.close();
    pictures.close();
  });

  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${served.url}/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { code: unknown; data: never; fields?: Record<string, string> };
    return { status: response.status, code: answer.code, data: answer.data as Record<string, string>, all: answer };
  };
  const attach = async (about: Record<"number" | "key" | "name", string>, bytes: Buffer, type = "image/jpeg") => {
    const response = await fetch(`${served.url}/api/v1/support/ticket/picture`, {
      method: "POST",
      headers: {
        "content-type": type,
        "x-ticket-number": about.number,
        "x-ticket-key": about.key,
        "x-file-name": encodeURIComponent(about.name),
      },
      body: new Uint8Array(bytes),
    });
    return ((await response.json()) as { code: unknown }).code;
  };
  const open = (extra: Record<string, unknown> = {}) => post("/v1/support/tickets", { ...COMPLAINT, ...extra });

  test("[PAGE-1] a complaint gets a number and a key, and only both open it", async () => {
    const { data } = await open({ message: "<script>alert(1)</script> =1+1" });
    const { number, key } = data;
    const found = await post("/v1/support/ticket", { number, key });
    expect(found.data).toMatchObject({ number, state: "received", kind: "complaint" });
    expect(JSON.stringify(found.data)).toContain("<script>alert(1)</script> =1+1");
    const other = (await open()).data.key;
    expect(await post("/v1/support/ticket", { number, key: other })).toMatchObject({ code: "TICKET_NOT_FOUND" });
    const unknown = { number: "CW-0000-0000", key };
    expect(await post("/v1/support/ticket", unknown)).toMatchObject({ status: 404, code: "TICKET_NOT_FOUND" });
  });

  test("[PAGE-1] staff answer and the visitor replies", async () => {
    const { number = "", key } = (await open()).data;
    await support.support.answer(number, "Which order?", "answered", AT_MS + 1);
    const { data } = await post("/v1/support/ticket/reply", { number, key, message: " The first. " });
    const messages = (data as unknown as { messages: { author: string; text: string }[] }).messages;
    expect(messages.map(({ author, text }) => [author, text])).toEqual([
      ["visitor", "My order was late."],
      ["staff", "Which order?"],
      ["visitor", "The first."],
    ]);
  });

  test("[PAGE-1] a whistleblower needs neither name nor address; others do", async () => {
    const nameless = { name: "", email: "" };
    expect((await open({ kind: "whistleblower", ...nameless })).status).toBe(200);
    const refused = await open(nameless);
    expect(refused).toMatchObject({ status: 400, code: "TICKET_INVALID" });
    expect(JSON.stringify(refused.all)).toContain("email");
  });

  test("[AUTH-9] an institution writes from an address of its own", async () => {
    expect(await open({ kind: "institutional", email: "ada@gmail.com" })).toMatchObject({ code: "TICKET_INVALID" });
    expect((await open({ kind: "institutional", email: "ada@fund.example" })).status).toBe(200);
  });

  test("[PAGE-1] pictures are re-encoded and anything else is refused", async () => {
    const plain = { create: { width: 40, height: 30, channels: 3, background: "#369" } } as const;
    const jpeg = await sharp(plain)
      .withExif({ IFD0: { ImageDescription: "where I live" } })
      .jpeg()
      .toBuffer();
    expect(jpeg.includes("where I live")).toBe(true);
    const { number = "", key = "" } = (await open()).data;
    expect(await attach({ number, key, name: "../../etc/photo<1>.JPG" }, jpeg)).toBe(200);
    const ticket = await post("/v1/support/ticket", { number, key });
    expect((ticket.data as unknown as { attachments: string[] }).attachments).toEqual(["photo_1_.jpg"]);
    const stored = await place
      .database()
      .kysely.$extendTables<{ support_attachment: { number: string; bytes: Uint8Array } }>()
      .selectFrom("support_attachment")
      .select("bytes")
      .where("number", "=", number)
      .executeTakeFirstOrThrow();
    const drawn = vault.open(stored.bytes, `support-file:${number}`);
    expect(Buffer.from(drawn).includes("where I live")).toBe(false);
    expect((await sharp(drawn).metadata()).width).toBe(40);

    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    for (const content of [svg, Buffer.from("MZ not a picture"), jpeg.subarray(0, 60)])
      expect(await attach({ number, key, name: "a" }, content)).toBe("ATTACHMENT_INVALID");
    expect(await attach({ number, key, name: "a" }, Buffer.concat([jpeg, svg]))).toBe("ATTACHMENT_MIXED");
    expect(await attach({ number, key, name: "a" }, jpeg, "application/pdf")).toBe("UNSUPPORTED_MEDIA");
    expect(await attach({ number, key: "0000-0000-0000-0000", name: "a" }, jpeg)).toBe("TICKET_NOT_FOUND");
  });

  test("[PAGE-1] of many concurrent pictures and answers a ticket keeps up to its limit", async () => {
    const { number = "", key = "" } = (await open()).data;
    const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: "#369" } })
      .png()
      .toBuffer();
    const kept = await Promise.all(Array.from({ length: 6 }, (_, at) => attach({ number, key, name: `${at}` }, png)));
    expect(kept.filter((answer) => answer === 200)).toHaveLength(3);
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => post("/v1/support/ticket/reply", { number, key, message: "And again." })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(49);
    const { data } = await post("/v1/support/ticket", { number, key });
    const { attachments, messages } = data as unknown as { attachments: unknown[]; messages: unknown[] };
    expect([attachments.length, messages.length]).toEqual([3, 50]);
  });

  test("[AUTH-8] without a solved check nothing is stored", async () => {
    isSolved = false;
    expect(await open()).toMatchObject({ status: 403, code: "CAPTCHA_REQUIRED" });
    isSolved = true;
  });

  test("[PAGE-1] a bot that fills in the hidden field gets a response and is not stored", async () => {
    const { number, key } = (await open({ website: "http://spam.example" })).data;
    expect((await post("/v1/support/ticket", { number, key })).status).toBe(404);
  });

  test.each([
    { kind: "other" },
    { message: "" },
    { message: 5 },
    { message: "x".repeat(5_001) },
    { extra: 1 },
    { attachments: [{ name: "a", content: "AAAA" }] },
  ])("[PAGE-1] a malformed form is refused: %j", async (extra) => {
    expect((await open(extra)).status).toBe(400);
  });

  test("[PAGE-1] mails about a ticket contain no user input, and a report sends none", async () => {
    mails.length = 0;
    const typed = { name: "=HYPERLINK(1)\r\nBcc: all@evil.example", message: "<b>Pay</b> at https://evil.example" };
    const { number = "" } = (await open(typed)).data;
    await support.support.answer(number, "<img src=x> see https://evil.example", "answered", AT_MS + 1);
    await open({ kind: "whistleblower", ...typed });
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["ada@example.com", `Request received: ${number}`],
      ["ada@example.com", `New reply: ${number}`],
    ]);
    // A mailbox past the limit of unauthenticated mails gets no more.
    expect((await open({ email: RESTING })).status).toBe(200);
    expect(mails).toHaveLength(2);
    for (const { text } of mails) {
      expect(text).toContain("https://exchange.example/help/ticket");
      expect(text).not.toMatch(/evil|HYPERLINK|Bcc|<|Pay/);
    }
  });

  test("[PAGE-1] no submitted text is stored in clear, and what is gets sealed at the next start", async () => {
    const { kysely } = place.database();
    const written = ["Eva Plain", "eva@plain.example", "They forged the books.", "proof.png"];
    const [name, email, message, picture] = written as [string, string, string, string];
    const { number = "", key = "" } = (await open({ kind: "whistleblower", name, email, message })).data;
    const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: "#369" } })
      .png()
      .toBuffer();
    expect(await attach({ number, key, name: picture }, png)).toBe(200);
    await support.support.answer(number, "They forged the books?", "answered", AT_MS + 1);
    const plain = async () => {
      const found: string[] = [];
      for (const table of ["support_ticket", "support_message", "support_attachment"]) {
        const { rows } = await sql`select * from ${sql.table(table)}`.execute(kysely);
        const bytes = rows.flatMap((row) => Object.values(row as object)).map((one) => Buffer.from(String(one)));
        const blobs = rows.flatMap((row) => Object.values(row as object)).filter((one) => one instanceof Uint8Array);
        const all = Buffer.concat([...bytes, ...blobs.map((one) => Buffer.from(one as Uint8Array))]);
        found.push(...[...written, "forged"].filter((text) => all.includes(text)));
      }
      return found;
    };
    expect(await plain()).toEqual([]);
    const read = async () => (await post("/v1/support/ticket", { number, key })).data as Record<string, unknown>;
    const before = await read();
    expect(before).toMatchObject({ attachments: [picture], messages: [{ text: message }, {}] });
    // As an earlier release wrote it.
    await sql`update support_ticket set name = ${name}, email = ${email}, sealed = null where number = ${number}`.execute(
      kysely,
    );
    await sql`update support_message set text = ${message}, sealed = null where number = ${number} and author = 'visitor'`.execute(
      kysely,
    );
    await sql`update support_attachment set name = ${picture}, bytes = ${png}, name_sealed = null where number = ${number}`.execute(
      kysely,
    );
    expect(await read()).toEqual(before);
    expect((await plain()).length).toBeGreaterThan(0);
    await support.start();
    expect(await plain()).toEqual([]);
    expect(await read()).toEqual(before);
  });

  test("[PAGE-1] more tickets than a page holds are all listed, each once, also of one instant", async () => {
    const { kysely } = place.database();
    const console = new SupportConsole({ ...supportStore(kysely, vault), ...consoleStore(kysely, vault) });
    const numbers: (string | undefined)[] = [];
    for (let count = 0; count < 60; count++) numbers.push((await open()).data.number);
    const seen: string[] = [];
    let before: string | null = "";
    while (before !== null) {
      const page: TicketTable = await console.list(before === "" ? {} : { before }, true);
      seen.push(...page.tickets.map(({ number }) => number));
      before = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(numbers.filter((number) => number === undefined || !seen.includes(number))).toEqual([]);
  });

  test("[USR-1] of tickets waiting for an answer, those of VIP 3 and above come first; then the latest", async () => {
    const { kysely } = place.database();
    await sql`delete from support_ticket`.execute(kysely);
    const console = new SupportConsole({ ...supportStore(kysely, vault), ...consoleStore(kysely, vault) });
    const levels = new Map<string, number>();
    for (let count = 0; count < 60; count++) {
      const level = [0, 2, 3, 8][count % 4] ?? 0;
      const opened = await support.support.open({ ...COMPLAINT, kind: "complaint" }, level, AT_MS + count);
      if (opened.done) levels.set(opened.value.number, level);
    }
    const opened = [...levels.keys()].reverse();
    const isFirst = (number: string): boolean => (levels.get(number) ?? 0) >= 3;
    const listed = async (state?: "received"): Promise<string[]> => {
      const page = await console.list({ ...(state && { state }) }, true);
      const rest = await console.list({ ...(state && { state }), before: page.next ?? "" }, true);
      return [...page.tickets, ...rest.tickets].map(({ number }) => number);
    };
    expect(await listed()).toEqual(opened);
    expect(await listed("received")).toEqual([...opened.filter(isFirst), ...opened.filter((one) => !isFirst(one))]);
  });

  test("[USR-1] an account opens its own tickets without their key, and nobody else's", async () => {
    const { support: service } = support;
    const opened = await service.open({ ...COMPLAINT, kind: "complaint" }, 71, AT_MS);
    const report = { kind: "whistleblower", message: "They round up." } as const;
    await service.open(report, 71, AT_MS);
    const number = opened.done ? opened.value.number : "";
    // A report has no account, not even its writer's.
    expect((await service.listOwn(71)).tickets.map((ticket) => ticket.number)).toEqual([number]);
    expect(await service.readOwn(71, number)).toMatchObject({ done: true, value: { number } });
    expect(await service.writeOwn(71, number, "Still late.", AT_MS)).toMatchObject({
      value: { state: "in-progress", messages: [{ text: COMPLAINT.message }, { text: "Still late." }] },
    });
    const foreign = { done: false, code: "TICKET_NOT_FOUND" };
    expect(await service.readOwn(72, number)).toEqual(foreign);
    expect(await service.writeOwn(72, number, "Mine.", AT_MS)).toEqual(foreign);
    expect(await service.listOwn(72)).toEqual({ tickets: [] });
    expect((await fetch(`${served.url}/api/v1/support/tickets/own`)).status).toBe(401);
  });
});
