// A caller's orders, trades and cash changes of contracts as files, requested first and fetched later, in the Binance
// dialect. A file is written when it is fetched; its address is a secret of its own and lasts a day, or until a restart.
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Calls } from "@clockwork/host/call";
import { DAY_MS } from "@clockwork/kit/time";
import type { FuturesBillPage, FuturesFillPage, FuturesOrderPage } from "@clockwork/trading/futures/contract";
import type { FastifyInstance } from "fastify";
import { type DialectCall, type Endpoint, holderOf, internalCaller } from "../endpoint.ts";
import { type Cursor, readPages } from "../paging.ts";
import { DialectRefusal, missing } from "../refusal.ts";
import { type Contracts, NATIVE } from "./contracts.ts";
import { reads } from "./order-reads.ts";
import { describeFill, describeOrder, isPublished } from "./order-view.ts";
import { describeIncome } from "./settings.ts";

const KINDS = ["income", "order", "trade"] as const;
type Kind = (typeof KINDS)[number];

const PATH = "/dialect-downloads";
const SPAN_MS_MAX = 366 * DAY_MS;
const ROWS_MAX = 100_000;
/** In all, and of one user in a day. */
const KEPT_MAX = 10_000;
const A_DAY_MAX = 50;
const WEIGHT = 100;

interface Download {
  readonly id: string;
  readonly token: string;
  readonly userId: number;
  readonly contracts: Contracts;
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
  readonly endsMs: number;
}

export interface DownloadParts {
  readonly calls: Calls;
  readonly clock: () => number;
  /** Of the site; empty where it is not set. */
  readonly origin: string;
}

export function contractDownloads({ calls, clock, origin }: DownloadParts) {
  const byId = new Map<string, Download>();
  const byToken = new Map<string, Download>();
  const remove = (one: Download): void => {
    byId.delete(one.id);
    byToken.delete(one.token);
  };
  const sweep = (nowMs: number): void => {
    // Oldest first.
    for (const one of byId.values()) {
      if (one.endsMs > nowMs && byId.size < KEPT_MAX) return;
      remove(one);
    }
  };
  const request = (call: DialectCall, contracts: Contracts, kind: Kind): object => {
    const { parameters, timeMs } = call;
    const { userId } = holderOf(call);
    const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
    if (from === undefined) throw missing("startTime");
    if (to === undefined) throw missing("endTime");
    if (to < from || to - from > SPAN_MS_MAX)
      throw new DialectRefusal(-4147, "Invalid time interval, at most one year.");
    sweep(timeMs);
    const own = [...byId.values()].filter((one) => one.userId === userId);
    if (own.length >= A_DAY_MAX) throw new DialectRefusal(-1003, "Too many downloads requested today.", 429);
    const id = String(randomInt(10 ** 14, 2 ** 47));
    const token = randomBytes(32).toString("hex");
    const made = { id, token, userId, contracts, kind, from, to, endsMs: timeMs + DAY_MS };
    byId.set(id, made);
    byToken.set(token, made);
    return { avgCostTimestampOfLast30d: 0, downloadId: id };
  };
  const find = (call: DialectCall, contracts: Contracts, kind: Kind): object => {
    const found = byId.get(call.parameters.needText("downloadId"));
    const isOwn = found?.userId === holderOf(call).userId && found.contracts === contracts && found.kind === kind;
    if (!isOwn) throw new DialectRefusal(-1130, "Data sent for parameter 'downloadId' is not valid.");
    const isExpired = found.endsMs <= call.timeMs;
    return {
      downloadId: found.id,
      status: "completed",
      url: isExpired ? "" : `${origin}${PATH}/${found.token}.csv`,
      s3Link: null,
      notified: false,
      expirationTimestamp: found.endsMs,
      isExpired: isExpired ? true : null,
    };
  };
  return {
    endpoints: (contracts: Contracts): readonly Endpoint[] =>
      KINDS.flatMap((kind): readonly Endpoint[] => {
        const path = `${contracts.kind.base}/v1/${kind}/asyn`;
        return [
          { ...reads, path, weight: 1_000, isOwnWeight: true, handle: (call) => request(call, contracts, kind) },
          { ...reads, path: `${path}/id`, weight: 10, handle: (call) => find(call, contracts, kind) },
        ];
      }),
    mount(app: FastifyInstance): void {
      app.get<{ Params: { file: string } }>(`${PATH}/:file`, { config: { weight: WEIGHT } }, async (request, reply) => {
        const found = byToken.get(request.params.file.replace(/\.csv$/, ""));
        if (found === undefined || found.endsMs <= clock()) {
          return reply.code(404).type("text/plain").send("No such file.\n");
        }
        const rows = await readRows(found, internalCaller(calls, found.userId, randomUUID()));
        return reply
          .header("cache-control", "no-store")
          .header("content-disposition", `attachment; filename="${found.kind}-${found.id}.csv"`)
          .type("text/csv")
          .send(writeCsv(rows));
      });
    },
  };
}

export type ContractDownloads = ReturnType<typeof contractDownloads>;

async function readRows(one: Download, ask: DialectCall["ask"]): Promise<readonly object[]> {
  const { contracts, kind, from, to } = one;
  const { biz } = contracts.kind;
  const query = { biz, from, to };
  const describe = <Row extends { readonly pairCode: string }>(
    rows: readonly Row[],
    write: (contract: NonNullable<ReturnType<Contracts["find"]>>, row: Row) => object,
  ): readonly object[] =>
    rows.flatMap((row) => {
      const contract = contracts.find(row.pairCode);
      return contract === undefined ? [] : [write(contract, row)];
    });
  switch (kind) {
    case "income": {
      const read = async (cursor: Cursor) => {
        const page = await ask("GET", `${NATIVE}/bills`, { query: { ...query, ...cursor } });
        const { bills, next } = page as FuturesBillPage;
        return { rows: bills, next };
      };
      return (await readPages(read, true, ROWS_MAX)).map((bill) => describeIncome(contracts, bill));
    }
    case "trade": {
      const read = async (cursor: Cursor) => {
        const page = await ask("GET", `${NATIVE}/fills`, { query: { ...query, ...cursor } });
        const { fills, next } = page as FuturesFillPage;
        return { rows: fills, next };
      };
      return describe(await readPages(read, true, ROWS_MAX), (contract, fill) =>
        describeFill(contracts, contract, fill),
      );
    }
    case "order": {
      const read = async (cursor: Cursor) => {
        const page = await ask("GET", `${NATIVE}/orders`, { query: { ...query, state: "history", ...cursor } });
        const { orders, next } = page as FuturesOrderPage;
        return { rows: orders, next };
      };
      const orders = await readPages(read, true, ROWS_MAX, isPublished);
      return describe(orders, (contract, order) => describeOrder(contracts, contract, order));
    }
    default:
      throw new Error("an unknown kind of download");
  }
}

/** Texts of users are names of orders: letters, digits and a few signs, none of which starts a formula. */
function writeCsv(rows: readonly object[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown): string => {
    const text = value === undefined || value === null ? "" : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name])).join(","));
  return [columns.join(","), ...lines, ""].join("\n");
}
