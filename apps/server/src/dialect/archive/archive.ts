// Daily files of market data below /data, as data.binance.vision has them: each made when it is first requested, once,
// kept from then on, with its checksum. Depth is made every day, because its samples are not kept.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@clockwork/host/log";
import { DAY_MS } from "@clockwork/kit/time";
import type { Market } from "@clockwork/trading/market/offer";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Contracts } from "../contract/contracts.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import { type ArchivedMarket, type ArchiveMarket, readLines } from "./lines.ts";
import { type ArchivePath, isOver, readArchivePath } from "./paths.ts";
import { writeZip } from "./zip.ts";

/** Files that wait to be made; more are refused. */
const WAITING_MAX = 20;
const RETRY_SECONDS = 30;
/** Samples of depth remain for a while after their files were made. */
const DEPTH_KEPT_MS = 3 * DAY_MS;
const WEIGHT = 20;

export interface ArchiveParts {
  readonly market: ArchiveMarket & Pick<Market, "pairs">;
  readonly symbols: SpotSymbols;
  readonly linear: Contracts;
  readonly inverse: Contracts;
  readonly folder: string;
  readonly clock: () => number;
  readonly log: Log;
}

export class DataArchive {
  readonly #parts: ArchiveParts;
  readonly #making = new Map<string, Promise<void>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
  }

  mount(app: FastifyInstance): void {
    app.get<{ Params: { "*": string } }>("/data/*", { config: { weight: WEIGHT } }, async (request, reply) => {
      reply.raw.setHeader("access-control-allow-origin", "*");
      const path = readArchivePath(request.params["*"]);
      const archived = path === undefined ? undefined : this.#find(path);
      if (path === undefined || archived === undefined || !isOver(path.dayMs, this.#parts.clock())) {
        return reply.code(404).type("text/plain").send("No such file.\n");
      }
      const file = this.#fileOf(path);
      if (!(await hasFile(file))) {
        if (this.#making.size >= WAITING_MAX && !this.#making.has(file)) {
          return reply
            .code(503)
            .header("retry-after", RETRY_SECONDS)
            .type("text/plain")
            .send("Busy. Try again later.\n");
        }
        await this.#make(path, archived, file);
      }
      return path.isChecksum ? sendChecksum(reply, path, file) : sendFile(reply, path, file);
    });
  }

  /** The depth of every market on a day that is over. */
  async makeDepth(dayMs: number): Promise<void> {
    const { symbols, linear, inverse, market } = this.#parts;
    const every = [
      ...symbols.list().map((pair) => ["spot", symbolOf(pair)] as const),
      ...linear.list().map((one) => ["um", linear.kind.symbolOf(one)] as const),
      ...inverse.list().map((one) => ["cm", inverse.kind.symbolOf(one)] as const),
    ];
    const day = new Date(dayMs).toISOString().slice(0, 10);
    for (const [product, symbol] of every) {
      const name = `${symbol}-bookDepth-${day}`;
      const path = { product, kind: "bookDepth", symbol, interval: undefined, dayMs, name, isChecksum: false } as const;
      const archived = this.#find(path);
      const file = this.#fileOf(path);
      if (archived !== undefined && !(await hasFile(file))) await this.#make(path, archived, file);
    }
    await market.data.store.deleteDepthsBefore(dayMs - DEPTH_KEPT_MS);
  }

  /** The market a path names, if it was listed by the end of the day. */
  #find({ product, symbol, dayMs }: ArchivePath): ArchivedMarket | undefined {
    const { symbols, market, linear, inverse } = this.#parts;
    const found: ArchivedMarket | undefined = ((): ArchivedMarket | undefined => {
      if (product === "spot") {
        const pair = symbols.find(symbol);
        return pair === undefined ? undefined : { pair, contract: undefined };
      }
      const contracts = product === "um" ? linear : inverse;
      const contract: ContractInfo | undefined = contracts
        .list()
        .find((one) => contracts.kind.symbolOf(one) === symbol);
      const pair = contract === undefined ? undefined : market.pairs.findListed(contracts.kind.biz, contract.pairCode);
      return pair === undefined ? undefined : { pair, contract };
    })();
    return found === undefined || found.pair.listedAtMs >= dayMs + DAY_MS ? undefined : found;
  }

  #fileOf({ product, kind, symbol, interval, name }: ArchivePath): string {
    return join(this.#parts.folder, product, kind, symbol, interval ?? "", `${name}.zip`);
  }

  /** One after the other, and each once. */
  #make(path: ArchivePath, archived: ArchivedMarket, file: string): Promise<void> {
    const known = this.#making.get(file);
    if (known !== undefined) return known;
    const { market, log } = this.#parts;
    const made = this.#turn
      .then(() => writeZip(file, `${path.name}.csv`, readLines(market, archived, path)))
      .catch((error: unknown) => {
        log.warn("archive.failed", { error, file: path.name });
        throw error;
      })
      .finally(() => this.#making.delete(file));
    this.#making.set(file, made);
    this.#turn = made.catch(() => undefined);
    return made;
  }
}

const hasFile = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const FOREVER = "public, max-age=31536000, immutable";

async function sendFile(reply: FastifyReply, { name }: ArchivePath, file: string): Promise<FastifyReply> {
  const { size } = await stat(file);
  return reply
    .header("cache-control", FOREVER)
    .header("content-length", size)
    .header("content-disposition", `attachment; filename="${name}.zip"`)
    .type("application/zip")
    .send(createReadStream(file));
}

async function sendChecksum(reply: FastifyReply, { name }: ArchivePath, file: string): Promise<FastifyReply> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return reply
    .header("cache-control", FOREVER)
    .type("text/plain")
    .send(`${hash.digest("hex")}  ${name}.zip\n`);
}
