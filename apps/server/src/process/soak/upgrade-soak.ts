// An upgrade end to end: the release before, taken from git, serves users of every product; it is stopped in order or killed; then
// this release starts on its folder. A copy of the folder goes through the same start by the release before, and every table of
// money has to be equal. With --database the tables are PostgreSQL's; its role creates databases.
//   npm run soak -- upgrade [--from COMMIT] [--seconds 30] [--database URL]
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { ROOT_FOLDER } from "../../root-folder.ts";
import { openDatabase } from "../../storage/database.ts";
import { Visitor } from "../account-fixture.ts";

const { values } = parseArgs({
  options: { from: { type: "string" }, seconds: { type: "string", default: "30" }, database: { type: "string" } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT_FOLDER, encoding: "utf8" }).trim();

/** Rows of the running process and of time alone: sessions that end, jobs, statistics, seeds, prices and values of the minute. */
const LIVING =
  /^(engine_(?:cursor|seeds|values|minutes|premiums|lead_marks)|content_|articles_|campaigns_item|copy_cursor|storage_|jobs_|clock_|sessions_|codes_|captcha_|attempts_|ops_|markets_|messages_|recommend_|portfolio_)/;

const place = mkdtempSync(join(tmpdir(), "cw-upgrade-"));
const children = new Set<ChildProcess>();

/** The sources of a commit with this installation: packages of the workspace are their own, all others are shared. */
function checkOut(commit: string): string {
  const root = join(place, "before");
  mkdirSync(root);
  execFileSync("sh", ["-c", `git archive ${commit} | tar -x -C '${root}'`], { cwd: ROOT_FOLDER });
  const modules = join(root, "node_modules");
  mkdirSync(join(modules, "@clockwork"), { recursive: true });
  for (const name of readdirSync(join(ROOT_FOLDER, "node_modules")))
    if (name !== "@clockwork") symlinkSync(join(ROOT_FOLDER, "node_modules", name), join(modules, name));
  for (const path of git("ls-tree", "-r", "--name-only", commit).split("\n")) {
    if (!path.endsWith("/package.json")) continue;
    const { name } = JSON.parse(readFileSync(join(root, path), "utf8")) as { name?: string };
    if (name?.startsWith("@clockwork/")) symlinkSync(join(root, path, ".."), join(modules, name));
  }
  return root;
}

interface Served {
  readonly url: string;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

async function serve(root: string, folder: string, url: string | undefined, isLive: boolean): Promise<Served> {
  const program = ["--conditions=development", join(root, "apps/server/src/process/main.ts")];
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      CW_DATA: folder,
      CW_MODE: "development",
      CW_CHAIN: "off",
      CW_CAPTCHA: "off",
      CW_RATE_WEIGHT_PER_MINUTE: "0",
      CW_MARKET_HISTORY_DAYS: "1",
      CW_REPLAY_OTHER_RELEASES: "on",
      ...(isLive ? {} : { CW_MARKET: "off" }),
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  let reply = "";
  const port = await new Promise<string>((done, fail) => {
    const read = (part: Buffer): void => {
      reply = (reply + part.toString()).slice(-20_000);
      const found = /serving on http:\/\/[^:]+:(\d+)/.exec(reply)?.[1];
      if (found !== undefined) done(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => fail(new Error(`the server ended with ${code}: ${reply.slice(-2_000)}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async end(signal) {
      child.kill(signal);
      await ended;
      children.delete(child);
    },
  };
}

/** Two people use what the default run offers; a refused call is printed, since it proves nothing. */
async function act(server: Served): Promise<void> {
  const [ann, ben] = [new Visitor(server), new Visitor(server)];
  let refused = 0;
  const answered = async (name: string, call: ReturnType<Visitor["get"]>): Promise<void> => {
    const { status, code, message } = await call;
    if (status === 200) return;
    refused++;
    say(`  ${name}: ${status} ${code} ${message}`);
  };
  for (const [visitor, name] of [
    [ann, "ann@example.com"],
    [ben, "ben@example.com"],
  ] as const) {
    await answered("sign-up", visitor.signUp(name));
    await answered("identity", visitor.dev("/identity", { level: 2 }));
    await answered("faucet", visitor.faucet("USDT", "50000"));
    await answered("faucet", visitor.faucet("BTC", "1"));
    const moved = { asset: "USDT", amount: "15000", from: "1", to: "3", clientId: "move-1" };
    await answered("transfer", visitor.post("/asset/v1/api/wallet/transfer", moved));
  }
  const { data: ticker } = await ann.get("/v1/spot/depth?pairCode=BTC_USDT&limit=5");
  const middle = Number(ticker?.bids?.[0]?.[0] ?? ticker?.bids?.[0]?.price ?? 96_000);
  const near = (part: number): string => String(Math.round(middle * part));
  const spot = { pairCode: "BTC_USDT", type: "limit", quantity: "0.01" };
  await answered("buy", ann.post("/v1/spot/orders", { ...spot, side: "buy", price: near(1.001) }));
  await answered("rest", ann.post("/v1/spot/orders", { ...spot, side: "buy", price: near(0.97) }));
  await answered("sell", ben.post("/v1/spot/orders", { ...spot, side: "sell", price: near(1.02) }));
  const plan = { ...spot, type: "stopLimit", side: "sell", price: near(0.95), stopPrice: near(0.955) };
  await answered("stop", ann.post("/v1/spot/orders", plan));
  const future = { pairCode: "BTC_USDT", type: "limit", quantity: "0.01" };
  await answered("long", ann.futures("/v1/futuresc/orders", { ...future, side: "buy", price: near(1.002) }));
  await answered("short", ben.futures("/v1/futuresc/orders", { ...future, side: "sell", price: near(1.03) }));
  const quote = await ann.post("/asset/v1/api/convert/quote", { from: "USDT", to: "BTC", amount: "500" });
  await answered("convert", ann.post("/asset/v1/api/convert/accept", { quoteId: quote.data?.quoteId }));
  await answered("protocol", ann.post("/v1/spot/strategy/protocol/agree", {}));
  const grid = { kind: "spot", pairCode: "BTC_USDT", count: 10, spacing: "arithmetic", investment: "3000" };
  const range = { lower: near(0.93), upper: near(1.07), clientId: "grid-1" };
  await answered("grid", ann.post("/v1/spot/strategy/create", { ...grid, ...range }));
  const coins = [
    { coin: "BTC", weightBps: 5_000 },
    { coin: "ETH", weightBps: 5_000 },
  ];
  const basket = { quote: "USDT", coins, thresholdBps: 300, investment: "3000", clientId: "basket-1" };
  await answered("rebalancer", ann.post("/v1/spot/strategy/rebalance/create", basket));
  await subscribe(ben, answered);
  await sleep(Number(values.seconds) * 1_000);
  say(`  ${refused} calls were refused`);
}

/** Flexible savings in USDT, where the default run offers them. */
async function subscribe(
  visitor: Visitor,
  answered: (name: string, call: ReturnType<Visitor["get"]>) => Promise<void>,
): Promise<void> {
  const moved = { asset: "USDT", amount: "2000", from: "1", to: "2", clientId: "move-2" };
  await answered("transfer", visitor.post("/asset/v1/api/wallet/transfer", moved));
  const { data } = await visitor.get("/financial/v1/products");
  const products: readonly { productId?: string; coin?: string; asset?: string }[] = data?.products ?? data?.list ?? [];
  const product = products.find(({ coin, asset }) => (coin ?? asset) === "USDT");
  if (product === undefined) return say("  no savings in USDT are offered");
  const body = { productId: product.productId, amount: "100", clientId: "save-1" };
  await answered("savings", visitor.post("/financial/v1/subscribe", body));
}

/** Of every table the number of rows and a hash over them, whatever their order. */
async function photograph(
  folder: string,
  url: string | undefined,
  columns: Map<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, string>> {
  const database = await openDatabase({ url, folder });
  try {
    const { kysely } = database;
    const names = await (url === undefined
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    ).execute(kysely);
    const found = new Map<string, string>();
    for (const { name } of names.rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(kysely);
      // What a migration has added is nothing the release before could have had.
      const known = columns.get(name) ?? new Set(Object.keys(rows[0] ?? {}));
      columns.set(name, known);
      // The first command of a release is one more, so that later rows carry another sequence.
      const lines = rows.map((row) =>
        JSON.stringify(row, (key, value) => {
          if (key === "updated_sequence" || (key !== "" && !known.has(key))) return undefined;
          return typeof value === "bigint" ? `${value}` : value;
        }),
      );
      found.set(name, `${rows.length} rows ${createHash("sha256").update(lines.sort().join("\n")).digest("hex")}`);
    }
    return found;
  } finally {
    await database.close();
  }
}

async function databaseOf(name: string, template?: string): Promise<string | undefined> {
  const url = values.database;
  if (url === undefined) return undefined;
  const own = new URL(url);
  const database = await openDatabase({ url, folder: place });
  try {
    await sql.raw(`drop database if exists ${name}`).execute(database.kysely);
    await sql
      .raw(`create database ${name}${template === undefined ? "" : ` template ${template}`}`)
      .execute(database.kysely);
  } finally {
    await database.close();
  }
  own.pathname = `/${name}`;
  return own.href;
}

/** Names of the tables that are not as the release before would have them. */
async function upgrade(before: string, signal: "SIGTERM" | "SIGKILL"): Promise<readonly string[]> {
  const [folder, copy] = [join(place, `data-${signal}`), join(place, `copy-${signal}`)];
  const name = `cw_upgrade_${signal.toLowerCase()}`;
  const url = await databaseOf(name);
  const live = await serve(before, folder, url, true);
  await act(live);
  await live.end(signal);
  cpSync(folder, copy, { recursive: true });
  const copyUrl = await databaseOf(`${name}_copy`, name);
  const columns = new Map<string, ReadonlySet<string>>();
  const start = async (
    root: string,
    data: string,
    tables: string | undefined,
  ): Promise<ReadonlyMap<string, string>> => {
    const server = await serve(root, data, tables, false);
    await server.end("SIGTERM");
    return photograph(data, tables, columns);
  };
  const expected = await start(before, copy, copyUrl);
  const found = await start(ROOT_FOLDER, folder, url);
  const rows = [...expected.values()].reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
  say(`  ${expected.size} tables of ${rows} rows compared`);
  return [...expected].filter(([table, line]) => found.get(table) !== line).map(([table]) => table);
}

let failed = 0;
try {
  const { releases } = JSON.parse(readFileSync(join(ROOT_FOLDER, "docs/releases.json"), "utf8")) as {
    releases: readonly { readonly commit: string }[];
  };
  const released = releases.map(({ commit }) => commit).find((commit) => commit !== "unreleased");
  const commit = git("rev-parse", values.from ?? released ?? "HEAD^");
  const before = checkOut(commit);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    say(`${commit.slice(0, 12)}, ${signal === "SIGTERM" ? "stopped in order" : "killed"}`);
    const differing = await upgrade(before, signal);
    const money = differing.filter((table) => !LIVING.test(table));
    for (const table of money) say(`  ${table} differs`);
    say(`  ${money.length} tables of money differ, ${differing.length - money.length} others`);
    failed += money.length;
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  if (existsSync(place)) rmSync(place, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
