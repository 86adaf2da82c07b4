// The support chat over a listening process with accounts and sockets, on both databases.

import { enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { allOf } from "@clockwork/kit/all-of";
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { type Client, openClient } from "@clockwork/server/socket/socket-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

const CHAT = "/v1/support/chat";
const DESK = "/v2/operators/tickets";
const DAY_MS = 86_400_000;

interface Line {
  readonly id: number;
  readonly author: string;
  readonly text: string;
  readonly fileId: number | null;
}

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "support chat", (database) => {
    let server: TestServer;
    let operator: Visitor;
    const sockets: Client[] = [];
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer({ ...TWO_OPERATORS, ...(url === undefined ? {} : { DATABASE_URL: url }) });
      ({ operator } = await enterAsOperator(server));
    });
    afterAll(async () => {
      for (const socket of sockets) socket.close();
      await server.close();
    });

    let count = 0;
    const customer = async (): Promise<Visitor> => {
      const visitor = new Visitor(server);
      count += 1;
      await visitor.signUp(`chatter${count}@example.com`);
      return visitor;
    };
    const listen = async (visitor: Visitor, channel: string): Promise<Client> => {
      const client = await openClient(`ws://127.0.0.1:${server.port}/ws`);
      sockets.push(client);
      client.send({ event: "login", data: { token: visitor.jar.get(SESSION_COOKIE.accessToken) } });
      await client.until(({ event }) => event === "login");
      client.send({ event: "sub", channel });
      await client.settle();
      return client;
    };
    const write = (who: Visitor, text: string, clientId: string = crypto.randomUUID()) =>
      who.post(CHAT, { text, clientId });
    const read = async (who: Visitor, query = "") => (await who.get(CHAT + query)).data;
    const lines = async (who: Visitor) =>
      ((await read(who)).messages as Line[]).map(({ author, text }) => [author, text]);
    const numberOf = async (text: string): Promise<string> => {
      const { tickets } = (await operator.get(DESK)).data;
      for (const { number } of tickets) {
        const { messages } = (await operator.get(`${DESK}/one?number=${number}`)).data;
        if (messages.some((one: Line) => one.text === text)) return number;
      }
      throw new Error(`no ticket says ${text}`);
    };
    const reply = (number: string, message: string, state = "answered") =>
      operator.post(`${DESK}/answer`, { number, message, state });

    test("[USR-8] a customer's message is a ticket in the console, and both sides receive each message at once", async () => {
      const ann = await customer();
      expect((await ann.get("/v1/common/chat-login-data")).data).toMatchObject({
        provider: "own",
        isOpen: true,
        channel: "supportChat",
        url: null,
        token: null,
      });
      const [page, desk] = [await listen(ann, "supportChat"), await listen(operator, "supportDesk")];
      const response = await write(ann, "Where is my deposit?");
      expect(response).toMatchObject({ status: 200, data: { author: "visitor", text: "Where is my deposit?" } });
      const number = await numberOf("Where is my deposit?");
      const isNews = (message: { channel?: unknown; data?: unknown }): boolean =>
        message.channel === "supportDesk" && (message.data as { number?: string } | undefined)?.number === number;
      await desk.until(isNews);
      expect((await operator.get(`${DESK}/one?number=${number}`)).data).toMatchObject({
        kind: "chat",
        state: "received",
      });
      expect((await reply(number, "It needs two confirmations.")).data).toMatchObject({ state: "answered" });
      await page.until(({ channel, data }) => channel === "supportChat" && (data as { unread?: number })?.unread === 1);
      expect(await lines(ann)).toEqual([
        ["visitor", "Where is my deposit?"],
        ["staff", "It needs two confirmations."],
      ]);
      await write(ann, "Thank you.");
      expect((await operator.get(`${DESK}/one?number=${number}`)).data.state).toBe("in-progress");
    });

    test("[USR-8] unread messages are counted until read, on every page, and notified once to users without an open page", async () => {
      const ben = await customer();
      await write(ben, "Question of Ben");
      const number = await numberOf("Question of Ben");
      await reply(number, "One.");
      await reply(number, "Two.");
      const { unread, lastId } = await read(ben);
      expect(unread).toBe(2);
      const letters = async () =>
        ((await ben.get("/v2/users/letters")).data.letters as { title: string }[]).filter(
          ({ title }) => title === "Support has answered",
        );
      expect(await letters()).toHaveLength(1);
      const page = await listen(ben, "supportChat");
      await page.until(({ data }) => (data as { unread?: number } | undefined)?.unread === 2);
      expect((await ben.post(`${CHAT}/read`, { id: lastId })).status).toBe(200);
      await page.until(({ data }) => (data as { unread?: number } | undefined)?.unread === 0);
      await ben.post(`${CHAT}/read`, { id: lastId + 1_000 });
      await reply(number, "Three.");
      expect((await read(ben)).unread).toBe(1);
      // A page is open now: nothing else is notified.
      expect(await letters()).toHaveLength(1);
    });

    test("[USR-8] one intent is one message, also for ten concurrent requests, and one conversation", async () => {
      const cleo = await customer();
      const id = crypto.randomUUID();
      const sent = await Promise.all(Array.from({ length: 10 }, () => write(cleo, "Once only", id)));
      expect(new Set(sent.map(({ data }) => data.id)).size).toBe(1);
      await Promise.all(Array.from({ length: 5 }, (_, at) => write(cleo, `Another ${at}`)));
      expect(await lines(cleo)).toHaveLength(6);
      const numbers = await Promise.all(["Once only", "Another 0", "Another 4"].map(numberOf));
      expect(new Set(numbers).size).toBe(1);
    });

    test("[USR-8] pictures are re-encoded, appear in the conversation, and are visible only to their owner and the console", async () => {
      const [eva, fred] = [await customer(), await customer()];
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#369" } })
        .png()
        .toBuffer();
      const send = (who: Visitor, bytes: Buffer = picture) =>
        who.send(`${CHAT}/picture?clientId=${crypto.randomUUID()}`, bytes, "image/png", { "x-file-name": "shot.png" });
      expect(await send(eva)).toMatchObject({ status: 409, code: "CHAT_EMPTY" });
      await write(eva, "See the picture");
      const { data } = await send(eva);
      expect(data).toMatchObject({ author: "visitor", text: "shot.png" });
      const file = await eva.get(`${CHAT}/file?id=${data.fileId}`);
      expect((await sharp(Buffer.from(file.data.data, "base64")).metadata()).width).toBe(8);
      expect(await fred.get(`${CHAT}/file?id=${data.fileId}`)).toMatchObject({ status: 404, code: "FILE_UNKNOWN" });
      const number = await numberOf("See the picture");
      expect((await operator.get(`${DESK}/file?number=${number}&id=${data.fileId}`)).status).toBe(200);
      expect(await send(eva, Buffer.from("<svg/>"))).toMatchObject({ code: "ATTACHMENT_INVALID" });
      await send(eva);
      await send(eva);
      expect(await send(eva)).toMatchObject({ status: 409, code: "ATTACHMENTS_FULL" });
    });

    test("[USR-8] no user reads, receives or writes another's chat, and visitors must sign in", async () => {
      const [gus, hana] = [await customer(), await customer()];
      const ear = await listen(hana, "supportDesk");
      await write(gus, "Gus writes");
      expect(await lines(hana)).toEqual([]);
      const visitor = new Visitor(server);
      const calls = [visitor.get(CHAT), write(visitor, "hello"), visitor.post(`${CHAT}/read`, { id: 1 })];
      expect(allOf(await Promise.all(calls), ({ status }) => status === 401)).toBe(true);
      expect((await visitor.get("/v1/common/chat-login-data")).data).toMatchObject({ isOpen: false, channel: null });
      await ear.settle();
      expect(ear.messages.filter(({ data }) => (data as { number?: string } | undefined)?.number)).toEqual([]);
      const number = await numberOf("Gus writes");
      const guess = { number, key: "0000-0000-0000-0000" };
      expect((await visitor.post("/v1/support/ticket", guess)).code).toBe("TICKET_NOT_FOUND");
      const form = { kind: "chat", name: "A", email: "a@example.com", message: "x" };
      expect((await visitor.post("/v1/support/tickets", form)).status).toBe(400);
    });

    test("[USR-8] a closed conversation remains readable, the next message starts another, and a day has few", async () => {
      const dora = await customer();
      for (let at = 0; at < 5; at++) {
        await write(dora, `Dora's ${at}`);
        await reply(await numberOf(`Dora's ${at}`), "Done.", "closed");
      }
      expect(await read(dora)).toMatchObject({ state: "closed", hasMore: false });
      expect(await lines(dora)).toHaveLength(10);
      expect(await write(dora, "Dora's sixth")).toMatchObject({ status: 429, code: "CHATS_TOO_MANY" });
      server.wait(DAY_MS + 1);
      await dora.signIn(dora.account);
      expect((await write(dora, "Dora's sixth")).status).toBe(200);
    });
  });
}

test("[USR-8] in the default run an agent labelled as simulated answers until a person does", async () => {
  const server = await startTestServer();
  try {
    const ida = new Visitor(server);
    await ida.signUp("ida@example.com");
    const say = (text: string) => ida.post(CHAT, { text, clientId: crypto.randomUUID() });
    await say("My withdrawal waits");
    const { messages, unread, state } = (await ida.get(CHAT)).data;
    expect(messages.map(({ author }: Line) => author)).toEqual(["visitor", "simulated"]);
    expect(messages[1].text).toContain("/withdrawal");
    expect([unread, state]).toEqual([1, "received"]);
    const { operator } = await enterAsOperator(server);
    const { number } = (await operator.get(DESK)).data.tickets[0];
    await operator.post(`${DESK}/answer`, { number, message: "I am here.", state: "in-progress" });
    await say("Good");
    const after = (await ida.get(CHAT)).data.messages as Line[];
    expect(after.map(({ author }) => author)).toEqual(["visitor", "simulated", "staff", "visitor"]);
  } finally {
    await server.close();
  }
});
