// Calls of the Binance dialect by those who should not be answered: the documented code each time, nothing changed.
import { generateKeyPairSync, sign } from "node:crypto";
import { createLog } from "@clockwork/host/log";
import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mask, Peer } from "../http/quick-fixture.ts";
import { Visitor } from "../process/account-fixture.ts";
import { forMigrated } from "../storage/test-databases.ts";
import {
  callSigned,
  type Key,
  makeKey,
  openLine,
  RECEIVE_MS,
  SECRETS,
  type SignedCall,
  signQuery,
  until,
} from "./dialect-fixture.ts";

const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "90000" };
const MARKET = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", timeInForce: "GTC", quantity: "0.01" };
const KEYS = "/v2/users/api-keys";

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "API keys", (database) => {
    let server: TradingServer;
    let owner: Visitor;
    let key: Key;
    /** All that this exchange wrote into its log, every detail of it. */
    const lines: string[] = [];
    const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });

    beforeAll(async () => {
      const url = database.options().url;
      server = await startTradingServer(url === undefined ? {} : { DATABASE_URL: url }, log);
      owner = await server.trader({ USDT: "50000" });
      key = await makeKey(owner);
    });
    afterAll(() => server?.close());

    const order = (call: Partial<SignedCall> = {}, used: Key = key) =>
      callSigned(server.url, used, "/api/v3/order", {
        method: "POST",
        parameters: ORDER,
        timeMs: server.nowMs(),
        ...call,
      });
    const countOpen = async (): Promise<number> => (await owner.get("/v1/spot/orders?state=open")).data.orders.length;

    test("[USR-2] a key's secret is returned once and no stolen table trades with it", async () => {
      const { data } = await owner.get(`${KEYS}/list`);
      expect(data.keys).toHaveLength(1);
      expect(data.keys[0]).toMatchObject({
        apiKey: key.apiKey,
        label: "bot",
        permissions: ["read", "spot", "transfer"],
        ipList: [],
      });
      // Where nothing is counted there is no bound to report.
      expect(data.limits.ordersTenSeconds).toEqual({ used: expect.any(Number), max: 0 });
      expect(data.address).toBe("127.0.0.1");
      expect(JSON.stringify(data)).not.toContain(key.secret);
      const rows = await server.kysely
        ?.$extendTables<{ apikeys_key: object }>()
        .selectFrom("apikeys_key")
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.toContain(key.secret);
      expect(Buffer.from(JSON.stringify(rows)).includes(Buffer.from(key.secret))).toBe(false);
    });

    test("[USR-8] an announced maintenance refuses new orders by page, program and socket, and lets orders be cancelled", async () => {
      const resting = (await order()).body.orderId;
      const { operator } = await enterAsOperator(server);
      const [startsAtMs, endsAtMs] = [server.nowMs() - 1, server.nowMs() + 60_000];
      const planned = { module: "spot", reason: "Moving house.", startsAtMs, endsAtMs, confirmation: "spot" };
      expect((await operator.post("/v2/operators/site/downtime", planned)).status).toBe(200);
      const own = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "90000", quantity: "0.01" };
      const refused = await owner.post("/v1/spot/orders", own);
      expect([refused.status, refused.code]).toEqual([503, "MODULE_DOWN"]);
      expect(refused.message).toContain("Moving house. Until ");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(30);
      expect(await order()).toMatchObject({ status: 503, body: { code: -1000, msg: refused.message } });
      const line = await openLine(`${server.url.replace("http", "ws")}/ws-api/v3`);
      const values = { ...ORDER, apiKey: key.apiKey, recvWindow: RECEIVE_MS, timestamp: server.nowMs() };
      const payload = Object.entries(values)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, value]) => `${name}=${value}`)
        .join("&");
      const signature = signQuery(key.secret, payload).split("signature=")[1];
      line.say({ id: "1", method: "order.place", params: { ...values, signature } });
      expect(await line.find(() => true)).toMatchObject({ status: 503, error: { code: -1000 } });
      line.end();
      expect(await countOpen()).toBe(1);
      expect((await owner.delete(`/v1/spot/orders/${resting}`)).status).toBe(200);
      expect(await countOpen()).toBe(0);
      // The announced end opens it.
      server.wait(60_000);
      expect((await owner.post("/v1/spot/orders", { ...own, clientOrderId: "after" })).status).toBe(200);
      expect((await owner.post("/v1/spot/orders/clear", {})).status).toBe(200);
    });

    test("[USR-2] withdrawing needs addresses and identity; addresses, public keys and the number of keys are judged", async () => {
      const jo = await server.trader();
      const add = (more: object) =>
        jo.post(`${KEYS}/add`, { label: "x", kind: "HMAC", permissions: ["read"], ...more });
      expect((await add({ permissions: ["read", "withdraw"] })).code).toBe("IP_LIST_REQUIRED");
      expect((await add({ permissions: ["withdraw"], ipList: ["1.2.3.4"] })).code).toBe("KYC_LEVEL_REQUIRED");
      for (const entry of ["1.2.3", "1.2.3.4/33", "::/0", "1.2.3.4/0", "fe80::1%eth0", "host.example"]) {
        expect([entry, (await add({ ipList: [entry] })).code]).toEqual([entry, "IP_LIST_INVALID"]);
      }
      expect((await add({ kind: "ED25519" })).code).toBe("PUBLIC_KEY_INVALID");
      expect(
        (await add({ kind: "RSA", publicKey: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----" })).code,
      ).toBe("PUBLIC_KEY_INVALID");
      expect((await jo.get(`${KEYS}/list`)).data.keys).toEqual([]);
      const made = await Promise.all(Array.from({ length: 4 }, () => add({})));
      expect(made.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (let left = 20 - (await jo.get(`${KEYS}/list`)).data.keys.length; left > 0; left -= 1)
        expect((await add({})).status).toBe(200);
      expect((await add({})).code).toBe("API_KEY_LIMIT");
    });

    const refusals: readonly (readonly [string, () => Partial<SignedCall>, number, number])[] = [
      ["without a key", () => ({ headers: { "x-mbx-apikey": "" } }), 401, -2014],
      ["with a key that is none", () => ({ headers: { "x-mbx-apikey": "A".repeat(64) } }), 401, -2015],
      ["two minutes old", () => ({ timeMs: server.nowMs() - 120_000 }), 400, -1021],
      ["from the future", () => ({ timeMs: server.nowMs() + 120_000 }), 400, -1021],
      ["with a huge window", () => ({ parameters: { ...ORDER, recvWindow: 60_001 } }), 400, -1131],
      [
        "with another's signature",
        () => ({ query: (signed) => signed.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }),
        400,
        -1022,
      ],
      [
        "with a parameter changed after signing",
        () => ({ query: (signed) => signed.replace("quantity=0.01", "quantity=0.02") }),
        400,
        -1022,
      ],
      [
        "in another order than it was signed",
        () => ({ query: (signed) => `side=BUY&${signed.replace("side=BUY&", "")}` }),
        400,
        -1022,
      ],
      ["with a parameter nobody knows", () => ({ parameters: { ...ORDER, reduceOnly: "true" } }), 400, -1104],
      ["with a parameter twice", () => ({ query: (signed) => `symbol=BTCUSDT&${signed}` }), 400, -1101],
      ["with a parameter in query and body", () => ({ body: "symbol=ETHUSDT" }), 400, -1101],
      ["without a signature", () => ({ query: (signed) => signed.replace(/&signature=.*/, "") }), 400, -1102],
      ["without a time", () => ({ query: () => signQuery(key.secret, "symbol=BTCUSDT") }), 400, -1102],
      ["with an exponent", () => ({ parameters: { ...ORDER, quantity: "1e-2" } }), 400, -1100],
      ["with too fine a price", () => ({ parameters: { ...ORDER, price: "90000.01" } }), 400, -1013],
      ["with a broken escape", () => ({ query: (signed) => `${signed}&x=%E0%A4%A` }), 400, -1100],
      ["with a wrong side", () => ({ parameters: { ...ORDER, side: "HOLD" } }), 400, -1117],
      ["with a type nobody has", () => ({ parameters: { ...ORDER, type: "ICEBERG" } }), 400, -1116],
      ["with a time in force a market order has none", () => ({ parameters: MARKET }), 400, -1114],
      ["without what its type needs", () => ({ parameters: { ...ORDER, price: "" } }), 400, -1102],
      ["on a pair that is empty", () => ({ parameters: { ...ORDER, symbol: "" } }), 400, -1105],
      ["on a pair that is none", () => ({ parameters: { ...ORDER, symbol: "NOPE" } }), 400, -1121],
    ];
    test.each(refusals)("[BOT-1] an order %s is refused and nothing changes", async (_, call, status, code) => {
      const before = await countOpen();
      const refused = await order(call());
      expect([refused.status, refused.body.code]).toEqual([status, code]);
      expect(await countOpen()).toBe(before);
    });

    test("[BOT-1] the same signed order is placed once, however often it is sent", async () => {
      const timeMs = server.nowMs();
      const all = await Promise.all(Array.from({ length: 8 }, () => order({ timeMs })));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(all.filter(({ body }) => body.code === -1022 || body.code === -2010)).toHaveLength(7);
      expect(await countOpen()).toBe(1);
      expect((await owner.post("/v1/spot/orders/clear")).status).toBe(200);
    });

    test("[BOT-1] a signature written another way is the same signature: the call is not made again", async () => {
      const timeMs = server.nowMs();
      expect((await order({ timeMs })).status).toBe(200);
      const big = (signed: string) => signed.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase());
      const again = await order({ timeMs, query: big });
      expect([again.status, again.body.code]).toEqual([400, -1022]);
      expect(await countOpen()).toBe(1);
      expect((await owner.post("/v1/spot/orders/clear")).status).toBe(200);
    });

    test("[BOT-1] no user can sign for another's key, nor reach another's order or stream", async () => {
      const bob = await server.trader({ USDT: "5000" });
      const theirs = await makeKey(bob);
      const forged = await order({}, { apiKey: key.apiKey, secret: theirs.secret });
      expect([forged.status, forged.body.code]).toEqual([400, -1022]);
      const { orderId } = (await order()).body;
      const asBob = (method: string) =>
        callSigned(server.url, theirs, "/api/v3/order", {
          method,
          parameters: { symbol: "BTCUSDT", orderId },
          timeMs: server.nowMs(),
        });
      expect((await asBob("GET")).body.code).toBe(-2013);
      expect((await asBob("DELETE")).body.code).toBe(-2011);
      expect(await countOpen()).toBe(1);
      const stream = async (method: string, used: Key, listenKey = "") => {
        const path = `/api/v3/userDataStream${listenKey === "" ? "" : `?listenKey=${listenKey}`}`;
        const answer = await fetch(server.url + path, { method, headers: { "x-mbx-apikey": used.apiKey } });
        return (await answer.json()) as { listenKey: string; code: number };
      };
      const { listenKey } = await stream("POST", key);
      SECRETS.add(listenKey);
      expect((await stream("PUT", theirs, listenKey)).code).toBe(-1125);
      expect((await stream("DELETE", theirs, listenKey)).code).toBe(-1125);
      expect(await stream("PUT", key, listenKey)).toEqual({});
      // By a client without an upgrade to a socket.
      expect((await fetch(`${server.url}/ws/${listenKey}`)).status).toBeGreaterThanOrEqual(400);
      expect((await owner.post("/v1/spot/orders/clear")).status).toBe(200);
    });

    test("[BOT-1] a signed order is answered in front of the HTTP library as the library answers it", async () => {
      const bodies = (timeMs: number): readonly string[] => {
        const values = { ...ORDER, recvWindow: RECEIVE_MS, timestamp: timeMs };
        const fields = Object.entries(values).map(([name, value]) => `${name}=${value}`);
        const good = signQuery(key.secret, fields.join("&"));
        return [good, good.replace("quantity=0.01", "quantity=0.02"), "symbol=BTCUSDT&symbol=BTCUSDT", "x=%E0%A4%A"];
      };
      /** A transfer header: the lane hands this to the library. */
      const speak = async (timeMs: number, more: string) => {
        const { lane } = server.one.app;
        const peer = await Peer.open(server.port);
        const port = peer.socket.localPort;
        // Every connection starts in the lane.
        await until(() => (lane.holds(port) ? true : undefined));
        const form = "content-type: application/x-www-form-urlencoded\r\n";
        let count = 0;
        for (const body of bodies(timeMs)) {
          const head = `host: 127.0.0.1\r\nx-mbx-apikey: ${key.apiKey}\r\nx-request-id: trace-12345678\r\n${form}${more}`;
          for (const request of [
            `POST /api/v3/order/test HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
            `POST /api/v3/order/test?${body} HTTP/1.1\r\n${head.replace(form, "")}content-length: 0\r\n\r\n`,
          ]) {
            peer.socket.write(request);
            count += 1;
            await peer.answered(count);
          }
        }
        const isInLane = lane.holds(port);
        peer.socket.destroy();
        await until(() => (lane.holds(port) ? undefined : true));
        const result = peer.answers.map(({ status, head, body }) => ({
          status,
          body,
          lines: mask(head).toLowerCase().split("\r\n").slice(1).sort(),
        }));
        return { isInLane, answer: result };
      };
      const quick = await speak(server.nowMs(), "");
      server.wait(1);
      const long = await speak(server.nowMs(), "te: trailers\r\n");
      expect(quick.answer).toHaveLength(8);
      expect(quick.answer.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
      expect(quick.answer).toEqual(long.answer);
      expect([quick.isInLane, long.isInLane]).toEqual([true, false]);
    });

    test("[BOT-1] over a socket the same calls are refused with the same codes", async () => {
      const line = await openLine(`${server.url.replace("http", "ws")}/ws-api/v3`);
      const reader = await makeKey(owner, { permissions: ["read"] });
      let sent = 0;
      const frame = (used: Key, more: object = {}, secret = used.secret) => {
        const values = {
          ...ORDER,
          apiKey: used.apiKey,
          recvWindow: RECEIVE_MS,
          timestamp: server.nowMs(),
          ...more,
        };
        const payload = Object.entries(values)
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([name, value]) => `${name}=${value}`)
          .join("&");
        return { ...values, signature: signQuery(secret, payload).slice(payload.length + "&signature=".length) };
      };
      const say = async (params: object) => {
        sent += 1;
        const id = sent;
        line.say({ id, method: "order.place", params });
        return line.find((one) => one.id === id);
      };
      const first = frame(key);
      expect((await say(first)).status).toBe(200);
      const before = await countOpen();
      const codes: unknown[] = [];
      for (const params of [
        first,
        { ...first, signature: first.signature.toUpperCase() },
        { ...frame(key), quantity: "0.02" },
        frame(key, {}, "A".repeat(64)),
        frame(key, { timestamp: server.nowMs() - 120_000 }),
        frame(key, { timestamp: server.nowMs() + 120_000 }),
        frame(key, { recvWindow: 60_001 }),
        frame(reader),
        { ...frame(key), apiKey: "A".repeat(64) },
        { ...frame(key), apiKey: undefined },
        { ...frame(key), signature: undefined },
      ])
        codes.push((await say(params)).error?.code);
      expect(codes).toEqual([-1022, -1022, -1022, -1022, -1021, -1021, -1131, -2015, -2015, -2014, -1102]);
      expect(await countOpen()).toBe(before);
      line.end();
      expect((await owner.post("/v1/spot/orders/clear")).status).toBe(200);
    });

    test("[BOT-1] a key is bound to its permissions, its addresses, its life and its owner's", async () => {
      const reader = await makeKey(owner, { permissions: ["read"] });
      expect((await order({}, reader)).body.code).toBe(-2015);
      const away = await makeKey(owner, { ipList: ["10.1.2.0/24", "2001:db8::/32"] });
      expect((await order({}, away)).body.code).toBe(-2015);
      const home = await makeKey(owner, { ipList: ["127.0.0.0/8"] });
      expect((await order({}, home)).status).toBe(200);
      const moved = await owner.post(`${KEYS}/update`, { apiKey: home.apiKey, ipList: ["10.1.2.3"] });
      expect(moved.data).toMatchObject({ ipList: ["10.1.2.3"], expiresAtMs: null });
      expect((await order({}, home)).body.code).toBe(-2015);
      const gone = await makeKey(owner);
      expect((await order({}, gone)).status).toBe(200);
      expect((await owner.post(`${KEYS}/delete`, { apiKey: gone.apiKey })).status).toBe(200);
      expect((await order({}, gone)).body.code).toBe(-2015);
      expect((await owner.post(`${KEYS}/delete`, { apiKey: gone.apiKey })).code).toBe("API_KEY_UNKNOWN");
      const outsider = await server.trader();
      expect((await outsider.post(`${KEYS}/delete`, { apiKey: key.apiKey })).code).toBe("API_KEY_UNKNOWN");
      expect((await outsider.post(`${KEYS}/update`, { apiKey: key.apiKey, label: "mine" })).code).toBe(
        "API_KEY_UNKNOWN",
      );
    });

    test("[BOT-1] Ed25519 and RSA keys sign; the exchange holds nothing they could be forged with", async () => {
      for (const [kind, pair] of [
        ["ED25519", generateKeyPairSync("ed25519")],
        ["RSA", generateKeyPairSync("rsa", { modulusLength: 2048 })],
      ] as const) {
        const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
        const { data } = await owner.post(`${KEYS}/add`, { label: kind, kind, publicKey, permissions: ["read"] });
        expect(data.secret).toBeUndefined();
        const query = `recvWindow=${RECEIVE_MS}&timestamp=${server.nowMs()}`;
        const signature = sign(kind === "RSA" ? "sha256" : null, Buffer.from(query), pair.privateKey).toString(
          "base64",
        );
        const read = async (text: string) =>
          (
            await fetch(`${server.url}/api/v3/account?${query}&signature=${encodeURIComponent(text)}`, {
              headers: { "x-mbx-apikey": data.apiKey },
            })
          ).status;
        expect([kind, await read(signature)]).toEqual([kind, 200]);
        expect([kind, await read(signature.replace(/^./, (first) => (first === "A" ? "B" : "A")))]).toEqual([
          kind,
          400,
        ]);
      }
    });

    test("[BOT-1] a frozen owner's keys work no more from that moment; an unbound key ends after ninety days", async () => {
      const ann = await server.trader({ USDT: "1000" });
      const hers = await makeKey(ann);
      const read = () => callSigned(server.url, hers, "/api/v3/account", { timeMs: server.nowMs() });
      expect((await read()).status).toBe(200);
      expect((await ann.post("/v2/users/security/freeze", {})).status).toBe(200);
      expect((await read()).body.code).toBe(-2015);
      // Written once in a while, and in parallel with the call itself.
      server.wait(60_000);
      const usedMs = server.nowMs();
      expect((await order()).status).toBe(200);
      const lastUse = async () =>
        (await owner.get(`${KEYS}/list`)).data.keys.find((one: Key) => one.apiKey === key.apiKey).lastUse;
      await expect.poll(async () => (await lastUse()).timeMs).toBeGreaterThanOrEqual(usedMs);
      expect(await lastUse()).toMatchObject({ address: "127.0.0.1", call: "POST /api/v3/order" });
      server.wait(90 * 86_400_000);
      expect((await order()).body.code).toBe(-2015);
    });

    test("[USR-2] a key is made after a fresh proof alone", async () => {
      const bare = new Visitor(server);
      await bare.signUp(`${crypto.randomUUID()}@example.com`);
      server.wait(10 * 60_000);
      const body = { label: "x", kind: "HMAC", permissions: ["read"] };
      expect((await bare.post(`${KEYS}/add`, body)).code).toBe("STEP_UP_REQUIRED");
    });

    test("[USR-2] the whole log of this run holds no secret, signature, stream's name, header or cookie", async () => {
      const headers = { authorization: "Basic c2VjcmV0LW9mLWEtaGVhZGVy", cookie: "cw_access_token=token-of-a-cookie" };
      await order({ headers });
      await order({ headers, query: (signed) => `${signed}&x=%E0%A4%A` });
      for (const value of [...owner.jar.values()]) if (value.length > 20) SECRETS.add(value);
      for (const text of ["c2VjcmV0LW9mLWEtaGVhZGVy", "token-of-a-cookie", "correct-horse-1"]) SECRETS.add(text);
      const written = lines.join("");
      expect(lines.length).toBeGreaterThan(100);
      expect(SECRETS.size).toBeGreaterThan(30);
      const result = [...SECRETS].filter((one) => written.includes(one) || written.includes(one.toUpperCase()));
      expect(result).toEqual([]);
    });
  });
}
