// Shared by the stampede test and soak: users with sessions, the load's own process, and the invariants of a flash sale
// afterwards. Measures nothing itself.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { wallMs } from "@clockwork/host/time/measure";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import type { TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { launchStore, type RoundRow } from "../../launchpad/store.ts";

/** One connection per request; they are used in turns. */
export interface Participants {
  readonly port: number;
  readonly requests: readonly string[];
  readonly count: number;
  readonly overMs: number;
  readonly startsAtMs: number;
}

export interface Rushed {
  readonly requested: number;
  readonly unanswered: number;
  /** Connections the server ended with a request on them. */
  readonly lost: number;
  /** Refused for now without a retry time. */
  readonly unhelpful: number;
  /** How many of each status, with the code of a refusal. */
  readonly answers: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly seconds: number;
  /** The largest delay of the load generator itself. */
  readonly lateMs: number;
}

const LOAD = join(import.meta.dirname, "stampede-load.ts");
/** The load starts this long after now: it connects first. */
const CONNECT_MS = 1_500;

export function requestOf(visitor: Visitor, path: string, body: unknown): string {
  const text = JSON.stringify(body);
  const token = visitor.jar.get("cw_access_token") ?? "";
  const head = `host: 127.0.0.1\r\nx-authorization: ${token}\r\ncontent-type: application/json\r\n`;
  return `POST /api${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

export function rush(
  participants: Omit<Participants, "startsAtMs">,
  startsAtMs = wallMs() + CONNECT_MS,
): Promise<Rushed> {
  const child = spawn(process.execPath, [LOAD], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ ...participants, startsAtMs } satisfies Participants));
  return new Promise((done, fail) => {
    let reply = "";
    child.stdout.on("data", (bytes: Buffer) => {
      reply += bytes.toString();
    });
    child.once("exit", (code) =>
      code === 0 ? done(JSON.parse(reply) as Rushed) : fail(new Error(`the crowd ended with ${code}: ${reply}`)),
    );
  });
}

/** Verified users with the given coins, several at once. */
export async function people(
  server: TradingServer,
  count: number,
  funds: Readonly<Record<string, string>>,
  name = "crowd",
): Promise<Visitor[]> {
  const visitors = Array.from({ length: count }, () => new Visitor(server));
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const visitor = visitors[at] as Visitor;
      const signed = await visitor.signUp(`${name}-${at}@example.com`);
      if (signed.code !== 0) throw new Error(`could not sign up: ${String(signed.code)}`);
      for (const [asset, amount] of Object.entries(funds)) await visitor.faucet(asset, amount);
      await visitor.dev("/identity", { level: 2 });
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return visitors;
}

/** Tokens last for minutes, and a busy machine may need as long to sign all users up. */
export async function renew(visitors: readonly Visitor[]): Promise<void> {
  for (let at = 0; at < visitors.length; at += 50) {
    const some = visitors.slice(at, at + 50);
    const answers = await Promise.all(some.map((visitor) => visitor.post("/v2/users/session/refresh")));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`a session was not renewed: ${String(refused.code)}`);
  }
}

/** Faults in a sale after a rush: every place must be decided, no lot sold twice, coins and money add up. */
export async function findSaleFaults(
  server: TradingServer,
  round: RoundRow,
  buyers: readonly Visitor[],
): Promise<string[]> {
  const store = launchStore(server.kysely as NonNullable<TradingServer["kysely"]>);
  const faults: string[] = [];
  const states = ["QUEUED", "WON", "LOST", "PAID", "CANCELLED", "TIMEOUT", "REFUNDED"] as const;
  const list = () => store.listOrders(round.round_id, states);
  while ((await list()).some(({ state }) => state === "QUEUED")) await new Promise((done) => setTimeout(done, 50));
  const orders = await list();
  const lots = Number((round.stock_units / round.lot_units).toString());
  const won = orders.filter(({ state }) => state === "WON");
  if (orders.length !== buyers.length) faults.push(`${orders.length} places for ${buyers.length} people`);
  if (won.length !== Math.min(lots, buyers.length)) faults.push(`${won.length} won ${lots} lots`);
  const own = new Map<string, Visitor>();
  for (const buyer of buyers) {
    const { data } = await buyer.get(`/seckill/status?id=${round.project_id}`);
    for (const { orderId } of data?.orders ?? []) own.set(orderId, buyer);
  }
  const [before, held] = [await escrowed(server, round.sub), await inSale(server, round.sub)];
  if (held !== round.stock_units) faults.push(`${held} lie in the sale instead of ${round.stock_units}`);
  // Every winner presses three times.
  const presses = won.flatMap(({ order_id }) => [order_id, order_id, order_id]);
  const paid = await Promise.all(presses.map((orderId) => own.get(orderId)?.post("/seckill/pay", { orderId })));
  for (const answer of paid) if (answer?.status !== 200) faults.push(`a payment ended with ${String(answer?.code)}`);
  const cost = won.reduce((sum, { cost_units }) => sum + cost_units, 0n);
  const taken = (await escrowed(server, round.sub)) - before;
  if (taken !== cost) faults.push(`${taken} were paid instead of ${cost}`);
  const left = round.stock_units - BigInt(won.length) * round.lot_units;
  const now = await inSale(server, round.sub);
  if (now !== left) faults.push(`${now} are left instead of ${left}`);
  return [...new Set(faults)];
}

/** Free and held units of a coin in an exchange account. */
async function housed(
  server: TradingServer,
  purpose: "sale" | "launchEscrow",
  sub: number,
  symbol: string,
): Promise<bigint> {
  const asset = (await server.engine.readListing())?.assets.find((one) => one.symbol === symbol)?.asset ?? 0;
  const account = (await openHouseAccount(server.engine.submit, purpose, sub)) ?? 0;
  const row = (await server.engine.cache?.open(account, server.nowMs()))?.of(ledgerView).balances.get(asset);
  return (row?.available_units ?? 0n) + (row?.frozen_units ?? 0n);
}

const escrowed = (server: TradingServer, sub: number): Promise<bigint> => housed(server, "launchEscrow", sub, "USDT");
const inSale = (server: TradingServer, sub: number): Promise<bigint> => housed(server, "sale", sub, "DOT");
