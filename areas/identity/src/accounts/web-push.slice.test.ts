// Pushes to browsers from a notice to the browser: a push service on the loopback, which the browser's own keys open.
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Accounts } from "../offers.ts";

const PATH = "/v1/common/push-token/web";

interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** What a browser does with the body (RFC 8291). */
function openPush(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): unknown {
  const senderPoint = body.subarray(21, 86);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), senderPoint]);
  const derive = (secret: Uint8Array, salt: Uint8Array, text: string | Uint8Array, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, text, bytes));
  const secret = derive(browser.computeSecret(senderPoint), auth, info, 32);
  const salt = body.subarray(0, 16);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(body.subarray(-16));
  const plain = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
  return JSON.parse(plain.subarray(0, -1).toString());
}

let service: Server;
let origin: string;
let status = 201;
let received: Received[] = [];
let server: TestServer;
let notices: Accounts["notices"];
let ann: Visitor;
let id: number;

beforeAll(async () => {
  service = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => service.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  server = await startTestServer({ CW_PUSH_SERVICES: origin }, undefined, undefined, (context) => {
    notices = context.accounts.notices;
    notices.register({ kind: "gifts", group: "products", defaults: ["push"] });
    return [];
  });
  ann = new Visitor(server);
  id = Number((await ann.signUp("ann@example.com")).data.id);
});

afterAll(async () => {
  await server.close();
  await new Promise((done) => service.close(done));
});

test("[SITE-24] a notice reaches the browser encrypted for it, and a browser that has left is removed", async () => {
  const browser = createECDH("prime256v1");
  const auth = randomBytes(16);
  const subscription = {
    endpoint: `${origin}/send/1`,
    p256dh: browser.generateKeys("base64url"),
    auth: auth.toString("base64url"),
  };
  const { key } = (await ann.get("/v1/common/push-token/web-key")).data;
  expect((await new Visitor(server).post(PATH, subscription)).code).toBe("UNAUTHENTICATED");
  expect((await ann.post(PATH, { ...subscription, endpoint: "https://10.0.0.1/x" })).code).toBe("PUSH_UNKNOWN");
  expect((await ann.post(PATH, subscription)).status).toBe(200);

  const gift = { kind: "gifts", title: "A gift", body: "It is below your assets.", path: "/rewards" };
  await notices.notify(id, { ...gift, reference: "1" }, server.nowMs());
  await expect.poll(() => received.length).toBe(1);
  const [push] = received as [Received];
  expect(openPush(push.body, browser, auth)).toMatchObject({ title: gift.title, body: gift.body, path: gift.path });
  expect(push.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  expect(push.headers.authorization).toMatch(new RegExp(`^vapid t=[\\w.-]+, k=${key}$`));

  received = [];
  status = 410;
  await notices.notify(id, { ...gift, reference: "2" }, server.nowMs());
  await expect.poll(() => received.length).toBe(1);
  status = 201;
  // The removal follows the answer.
  await expect
    .poll(async () => {
      received = [];
      await notices.notify(id, { ...gift, reference: randomBytes(4).toString("hex") }, server.nowMs());
      await ann.get("/v1/common/push-token/web-key");
      return received.length;
    })
    .toBe(0);
});
