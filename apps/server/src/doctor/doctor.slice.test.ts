// The doctor over an exchange without a fault, and over one mistake at a time: each is found with its remedy, by real
// servers on loopback; only names, certificates and limits of the machine are given as other answers.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@clockwork/host/settings/config";
import { parseSettings } from "@clockwork/host/settings/settings-file";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { ROOT_FOLDER } from "../root-folder.ts";
import { forMigrated } from "../storage/test-databases.ts";
import { judgeConnection, judgeServer, judgeSkew } from "./database-check.ts";
import { examine, renderFindings } from "./doctor.ts";
import type { Finding } from "./finding.ts";
import { OUTSIDE, type Outside } from "./outside.ts";

const DAY_MS = 86_400_000;
const TOKEN = "0x00000000000000000000000000000000000000aa";
const PAYOUT = "0x00000000000000000000000000000000000000bb";

/** What the servers around an exchange answer; a mistake changes one of these. */
interface Around {
  health: number;
  hasRequestId: boolean;
  hsts: string;
  metrics: number;
  bodyMax: number;
  hasSockets: boolean;
  plain: number;
  host: number;
  ready: number;
  euro: string;
  sms: number;
  issuer: string;
  chainId: number;
  blockAgeS: number;
  decimals: string;
  code: string;
  password: string;
}

const GOOD: Around = {
  health: 200,
  hasRequestId: true,
  hsts: "max-age=31536000",
  metrics: 403,
  bodyMax: 1_000_000,
  hasSockets: true,
  plain: 301,
  host: 200,
  ready: 200,
  euro: "0.9",
  sms: 405,
  issuer: "https://id.tick.test",
  chainId: 56,
  blockAgeS: 3,
  decimals: "0x12",
  code: "0x6001",
  password: "pw-of-mail",
};

let around: Around = GOOD;
const servers: { close(): unknown }[] = [];
let http = "";
let mailPort = 0;

beforeAll(async () => {
  const server = createServer((request, response) => void reply(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (around.hasSockets) sockets.handleUpgrade(request, socket, head, (opened) => opened.close());
    else socket.destroy();
  });
  http = `http://127.0.0.1:${await listen(server)}`;
  const mail = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === around.password ? done(null, { user: auth.username }) : done(new Error("wrong password")),
  });
  await new Promise<void>((done) => mail.listen(0, "127.0.0.1", () => done()));
  mailPort = (mail.server.address() as AddressInfo).port;
  servers.push(mail, sockets);
});
afterAll(() => {
  for (const server of servers) server.close();
});

function listen(server: Server): Promise<number> {
  servers.push(server);
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)));
}

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const part of request) text += String(part);
  const send = (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): void => {
    const own = around.hasRequestId ? { "x-request-id": "1", "strict-transport-security": around.hsts } : {};
    response.writeHead(status, { ...own, ...headers }).end(JSON.stringify(body));
  };
  const { pathname } = new URL(request.url ?? "/", "http://host");
  if (pathname === "/plain/") return send(around.plain, {}, { location: "https://tick.test/" });
  if (pathname === "/healthz") return send(around.health);
  if (pathname === "/readyz") return send(around.ready, { missing: "tables" });
  if (pathname === "/metrics") return send(around.metrics);
  if (pathname === "/sms") return send(around.sms);
  if (pathname === "/rates") return send(200, { rates: { EUR: around.euro } });
  if (pathname === "/.well-known/openid-configuration") return send(200, { issuer: around.issuer });
  if (pathname === "/node") return send(200, { jsonrpc: "2.0", id: 1, result: answerNode(JSON.parse(text)) });
  if (text.length > around.bodyMax) return void response.writeHead(413).end();
  return send(around.host);
}

function answerNode({ method }: { readonly method: string }): unknown {
  if (method === "eth_chainId") return `0x${around.chainId.toString(16)}`;
  if (method === "eth_call") return around.decimals;
  if (method === "eth_getCode") return around.code;
  return { timestamp: `0x${(Math.floor(OUTSIDE.now() / 1000) - around.blockAgeS).toString(16)}` };
}

let folder = "";
beforeEach(() => {
  around = { ...GOOD };
  folder = mkdtempSync(join(tmpdir(), "cw-doctor-"));
  for (const name of ["data/signer", "copies/today", "archive"])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const name of ["data/secret.key", "data/signer/keys.sealed", "data/signer/unlock.key"])
    writeFileSync(join(folder, name), "x", { mode: 0o600 });
  writeFileSync(join(folder, "copies/today/copy.json"), '{"sequence": 7}');
  writeFileSync(join(folder, "flagged.txt"), "");
  writeNetworks({});
  writeFileSync(
    join(folder, "company.json"),
    JSON.stringify({
      legalName: "Tick Limited",
      tradingName: "Tick",
      registrationNumber: "4711",
      registeredAddress: "7 Harbour Road, Valletta",
      jurisdiction: "Malta",
      courts: "the courts of Malta",
      regulator: "the regulator of Malta",
      licenceNumber: "MT-4711",
      licenceActivities: ["exchange services"],
      complianceEmail: "compliance@tick.test",
      complaintsEmail: "complaints@tick.test",
      privacyEmail: "privacy@tick.test",
      supportEmail: "support@tick.test",
      whistleblowerEmail: "speak-up@tick.test",
      ombudsman: "the ombudsman of Malta",
    }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeNetworks(change: object): void {
  const coin = { asset: "USDT", contract: TOKEN, decimals: 18, depositMin: "1", withdrawMin: "1", withdrawFee: "1" };
  const network = {
    network: "BSC",
    name: "A chain",
    chainId: 56,
    isTest: false,
    blockSeconds: 3,
    creditBlocks: 15,
    unlockBlocks: 30,
    finalBlocks: 60,
    payoutContract: PAYOUT,
    nodes: [`${http}/node`, "https://node.tick.test/node"],
    coins: [coin],
    ...change,
  };
  writeFileSync(join(folder, "networks.json"), JSON.stringify([network]));
}

interface Given {
  readonly environment?: Readonly<Record<string, string>>;
  readonly outside?: Partial<Outside>;
  readonly file?: string;
}

async function look({ environment = {}, outside = {}, file = "" }: Given): Promise<readonly Finding[]> {
  const settings: Readonly<Record<string, string>> = {
    CW_MODE: "production",
    HOST: "127.0.0.1",
    PORT: new URL(http).port,
    CW_DATA: join(folder, "data"),
    CW_COMPANY: join(folder, "company.json"),
    CW_PUBLIC_ORIGIN: "https://tick.test",
    CW_DOMAIN: "tick.test",
    CW_TRUSTED_PROXIES: "127.0.0.1",
    CW_SMTP_URL: `smtp://tick:pw-of-mail@127.0.0.1:${mailPort}`,
    CW_MAIL_FROM: "Tick <no-reply@tick.test>",
    CW_OPERATOR_EMAIL: "anna@tick.test,ben@tick.test",
    CW_MARKET: "off",
    CW_LIVENESS_URL: "https://faces.tick.test/sessions",
    CW_RATES_URL: "https://rates.tick.test/rates",
    CW_SMS_URL: "https://sms.tick.test/sms",
    CW_OPENID_PROVIDERS: "tick|https://id.tick.test|a|b",
    CW_NETWORKS: join(folder, "networks.json"),
    CW_FLAGGED_ADDRESSES: join(folder, "flagged.txt"),
    CW_BACKUPS: join(folder, "copies"),
    CW_DISK_ALARM_MB: "1",
    CW_DISK_FLOOR_MB: "0",
    CW_MEMORY_MIN_MB: "1",
    ...environment,
  };
  const read = readConfig(settings, parseSettings(file, "clockwork.yaml"));
  const given: Outside = {
    ...OUTSIDE,
    resolve: async () => ["192.0.2.1"],
    texts: async (host) => [host.startsWith("_dmarc.") ? "v=DMARC1; p=reject" : "v=spf1 -all"],
    certificate: async () => ({
      names: ["tick.test", "*.tick.test"],
      endsMs: OUTSIDE.now() + 60 * DAY_MS,
      fault: undefined,
    }),
    // Their names lead to the one server of this test.
    fetch: (url, options) =>
      OUTSIDE.fetch(
        url.replace(/^http:\/\/tick\.test/, `${http}/plain`).replace(/^https:\/\/[a-z.]*tick\.test/, http),
        options,
      ),
    opensSocket: (url) => OUTSIDE.opensSocket(url.replace(/^wss:\/\/tick\.test/, http.replace("http", "ws"))),
    openFilesMax: () => 65_536,
    isRoot: () => false,
    isClockFollowing: () => true,
    memoryFileSystems: [],
    ...outside,
  };
  return examine({ ...read, content: join(ROOT_FOLDER, "content"), outside: given, mailTo: undefined });
}

/** Not mistakes of the exchange: this test keeps everything on one disk, in /tmp, with the embedded database. */
const OF_THE_TEST = ["folder.tmp", "copies.same", "database.embedded"];
const codesOf = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ light, code }) => light !== "green" && !OF_THE_TEST.includes(code)).map(({ code }) => code);

test("[OPS-7] an exchange without a mistake is green", async () => {
  const findings = await look({});
  expect(codesOf(findings)).toEqual([]);
  expect(findings.filter(({ light }) => light === "green").length).toBeGreaterThan(14);
});

type Mistake = readonly [code: string, plant: () => Given];
const env = (environment: Readonly<Record<string, string>>): Given => ({ environment });
const answers = (change: Partial<Around>): Given => {
  Object.assign(around, change);
  return {};
};
const networks = (change: object): Given => {
  writeNetworks(change);
  return {};
};
const mode = (path: string, bits: number): Given => {
  chmodSync(join(folder, path), bits);
  return {};
};
const certificate = (change: object): Given => ({
  outside: {
    certificate: async () => ({
      names: ["tick.test", "*.tick.test"],
      endsMs: OUTSIDE.now() + 60 * DAY_MS,
      fault: undefined,
      ...change,
    }),
  },
});

const MISTAKES: readonly Mistake[] = [
  ["settings.CW_PUBLIC_ORIGIN", () => env({ CW_PUBLIC_ORIGIN: "" })],
  ["settings.CW_OPERATOR_EMAIL", () => env({ CW_OPERATOR_EMAIL: "anna@tick.test" })],
  ["settings.CW_MARKET", () => env({ CW_MARKET: "on" })],
  ["settings.CW_SECRET_KEY", () => env({ CW_SECRET_KEY: "1".repeat(64) })],
  ["settings.CW_LOG_FORMAT", () => env({ CW_LOG_FORMAT: "xml" })],
  ["settings.CW_COMPANY", () => env({ CW_COMPANY: join(folder, "none.json") })],
  ["settings.CW_SETTINGS", () => ({ file: "prot: 80\n" })],
  ["settings.unknown", () => env({ CW_PROT: "80" })],
  ["settings.mode", () => env({ CW_MODE: "local" })],
  ["folder.open", () => mode("data", 0o755)],
  ["folder.memory", () => ({ outside: { memoryFileSystems: FILE_SYSTEMS } })],
  ["key.open", () => mode("data/secret.key", 0o644)],
  ["disk.low", () => env({ CW_DISK_ALARM_MB: "99999999" })],
  ["disk.full", () => env({ CW_DISK_FLOOR_MB: "99999999" })],
  ["memory.low", () => env({ CW_MEMORY_MIN_MB: "99999999" })],
  ["files.few", () => ({ outside: { openFilesMax: () => 1_024 } })],
  ["files.fewer", () => ({ outside: { openFilesMax: () => 8_192 } })],
  ["user.root", () => ({ outside: { isRoot: () => true } })],
  ["clock.free", () => ({ outside: { isClockFollowing: () => false } })],
  ["clock.proxy", () => ({ outside: { now: () => OUTSIDE.now() + 90_000 } })],
  ["files.flagged", () => env({ CW_FLAGGED_ADDRESSES: "/nowhere/flagged.txt" })],
  ["archive.missing", () => env({ CW_ARCHIVE: "/nowhere/archive" })],
  ["archive.same", () => env({ CW_ARCHIVE: join(folder, "archive") })],
  ["archive.off", () => env({ CW_ARCHIVE: "off" })],
  ["copies.none", () => env({ CW_BACKUPS: "" })],
  ["copies.empty", () => env({ CW_BACKUPS: join(folder, "archive") })],
  [
    "copies.old",
    () => {
      const old = new Date(OUTSIDE.now() - 2 * DAY_MS);
      utimesSync(join(folder, "copies/today/copy.json"), old, old);
      return {};
    },
  ],
  ["copies.open", () => mode("copies", 0o755)],
  ["database.unreachable", () => env({ DATABASE_URL: "postgres://tick:k3y@127.0.0.1:9/tick" })],
  ["server.unready", () => answers({ ready: 503 })],
  ["server.down", () => env({ PORT: "9" })],
  [
    "dns.missing",
    () => ({
      outside: {
        resolve: async (host) =>
          host.startsWith("futuresapi") ? Promise.reject(new Error("ENOTFOUND")) : ["192.0.2.1"],
      },
    }),
  ],
  ["certificate.name", () => certificate({ names: ["tick.test"] })],
  ["certificate.ends", () => certificate({ endsMs: OUTSIDE.now() + DAY_MS })],
  ["certificate.soon", () => certificate({ endsMs: OUTSIDE.now() + 10 * DAY_MS })],
  ["certificate.fault", () => certificate({ fault: "SELF_SIGNED_CERT_IN_CHAIN" })],
  ["certificate.none", () => ({ outside: { certificate: () => Promise.reject(new Error("refused")) } })],
  ["proxy.other", () => answers({ hasRequestId: false })],
  ["proxy.host", () => answers({ host: 421 })],
  ["proxy.hsts", () => answers({ hsts: "" })],
  ["proxy.address", () => answers({ metrics: 200 })],
  ["proxy.body", () => answers({ bodyMax: 10_000 })],
  ["proxy.sockets", () => answers({ hasSockets: false })],
  ["proxy.plain", () => answers({ plain: 200 })],
  ["proxy.down", () => ({ outside: { fetch: () => Promise.reject(new Error("refused")) } })],
  ["mail.login", () => answers({ password: "another" })],
  ["mail.down", () => env({ CW_SMTP_URL: "smtp://127.0.0.1:9" })],
  ["mail.plain", () => env({ CW_SMTP_URL: `smtps://127.0.0.1:${mailPort}` })],
  ["mail.spf", () => ({ outside: { texts: async () => ["v=DMARC1; p=reject"] } })],
  ["mail.dmarc", () => ({ outside: { texts: async () => ["v=spf1 -all"] } })],
  ["provider.sms_url.none", () => env({ CW_SMS_URL: "" })],
  ["provider.sms_url.login", () => answers({ sms: 401 })],
  ["provider.sms_url.fails", () => answers({ sms: 503 })],
  ["provider.sms_url.down", () => env({ CW_SMS_URL: "http://127.0.0.1:9/sms" })],
  ["rates.form", () => answers({ euro: "none" })],
  ["rates.down", () => env({ CW_RATES_URL: "http://127.0.0.1:9/rates" })],
  ["openid.issuer", () => answers({ issuer: "https://other.tick.test" })],
  ["openid.down", () => env({ CW_OPENID_PROVIDERS: "tick|http://127.0.0.1:9|a|b" })],
  ["networks.none", () => env({ CW_NETWORKS: "" })],
  ["networks.file", () => env({ CW_NETWORKS: "/nowhere/networks.json" })],
  ["networks.test", () => networks({ isTest: true })],
  ["networks.single", () => networks({ nodes: [`${http}/node`] })],
  [
    "networks.unlisted",
    () =>
      networks({
        coins: [{ asset: "NONE", contract: null, decimals: 18, depositMin: "1", withdrawMin: "1", withdrawFee: "1" }],
      }),
  ],
  ["networks.payout", () => answers({ code: "0x" })],
  ["nodes.plain", () => networks({ nodes: [`${http}/node`, "http://node.other.test/node"] })],
  ["nodes.chain", () => answers({ chainId: 97 })],
  ["nodes.late", () => answers({ blockAgeS: 3_600 })],
  ["nodes.down", () => networks({ nodes: [`${http}/node`, "http://127.0.0.1:9"] })],
  ["coins.contract", () => answers({ decimals: "0x" })],
  ["coins.decimals", () => answers({ decimals: "0x6" })],
  [
    "wallet.cold",
    () => {
      writeFileSync(join(folder, "data/signer/cold-wallet.sealed"), "x", { mode: 0o600 });
      return {};
    },
  ],
  [
    "wallet.unlock",
    () => {
      rmSync(join(folder, "data/signer/unlock.key"));
      return {};
    },
  ],
  [
    "wallet.keys",
    () => {
      rmSync(join(folder, "data/signer/keys.sealed"));
      return {};
    },
  ],
];

/** The kinds of file system a test may run on: ext, XFS, btrfs, overlay, tmpfs, ZFS. */
const FILE_SYSTEMS = [0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0x01021994, 0x2fc12fc1];

test.each(MISTAKES)("[OPS-7] the doctor finds %s, with its remedy", async (code, plant) => {
  const findings = await look(plant());
  const found = findings.filter((finding) => finding.code === code);
  expect(codesOf(findings)).toContain(code);
  for (const { fact, remedy } of found) expect(Math.min(fact.length, remedy.length)).toBeGreaterThan(5);
  // No secret of the settings is shown, and the whole is one text.
  expect(renderFindings(findings)).not.toMatch(/pw-of-mail|k3y|1{64}/);
});

test("[OPS-7] settings of PostgreSQL that lose what was confirmed are each found", () => {
  const good = { server_version_num: "170000", server_encoding: "UTF8", max_connections: "100", wal_level: "replica" };
  expect(judgeServer(good)).toEqual([]);
  const planted = {
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: "off",
    zero_damaged_pages: "on",
    data_checksums: "off",
    archive_mode: "off",
    wal_level: "minimal",
    server_version_num: "120000",
    server_encoding: "SQL_ASCII",
    max_connections: "5",
  };
  for (const [name, setting] of Object.entries(planted))
    expect(judgeServer({ ...good, [name]: setting }), name).toHaveLength(1);
  const far = "postgres://tick@db.tick.test/tick";
  expect(judgeConnection(far, { isSuper: false, isSealed: true })).toEqual([]);
  expect(judgeConnection(far, { isSuper: true, isSealed: false }).map(({ code }) => code)).toEqual([
    "database.superuser",
    "database.plain",
  ]);
  expect([0, 5_000, -90_000].map((skewMs) => judgeSkew(skewMs).map(({ light }) => light))).toEqual([
    [],
    ["yellow"],
    ["red"],
  ]);
});

forMigrated("postgres", "a database that is looked at", (database) => {
  test("[OPS-7] the doctor reads a real PostgreSQL's durability", async () => {
    const { kysely } = database.database();
    const url = database.options().url ?? "";
    const codes = async () => codesOf(await look(env({ DATABASE_URL: url })));
    const set = (value: "on" | "off") =>
      sql`alter database ${sql.id(new URL(url).pathname.slice(1))} set synchronous_commit = ${sql.raw(value)}`.execute(
        kysely,
      );
    await set("on");
    expect(await codes()).not.toContain("database.commit");
    await set("off");
    expect(await codes()).toContain("database.commit");
    expect(await codes()).not.toContain("database.unreachable");
  });
});
