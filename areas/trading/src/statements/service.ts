// Statements users request: stored as intents, made one after the other in the background, served to their owner only.
import type { ValueSource } from "@clockwork/kit/accounting/moments";
import { formatUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import type { FilePart, MakeBody, Preview, PreviewGroup, StatementFile, StatementFiles } from "./contract.ts";
import { PREVIEW_GROUPS } from "./contract.ts";
import { MEDIA_TYPES, sha256Of } from "./document-rules.ts";
import { type Made, makeStatement } from "./making-service.ts";
import type { Issuer } from "./paper-rules.ts";
import type { StatementRefusal } from "./refusals.ts";
import { FILES_MAX, findPeriodProblem, groupOf, UNDER_WAY_MAX } from "./rules.ts";
import type { FileRow, Range, StatementStore } from "./store.ts";

interface StatementCoin {
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
}

export interface StatementNeeds {
  readonly now: () => number;
  randomId(): string;
  findAsset(symbol: string): StatementCoin | undefined;
  findAssetById(asset: number): StatementCoin | undefined;
  /** The user's books by the core's account, with display names; those that are no wallet are left out. */
  listBooks(userId: number): Promise<ReadonlyMap<number, string>>;
  /** Values of assets, which a tax export needs in USDT. */
  readonly values: ValueSource;
  /** Who issues what is printed, and to whom. */
  readonly issuer: Issuer;
  describeCustomer(userId: number): Promise<readonly string[]>;
  /** Resolves when the tables hold every command that has been taken until now. */
  settled(): Promise<void>;
  changed(userId: number): void;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}

const KEPT_MS = 90 * DAY_MS;
const ROWS_MAX = 100_000;
/** Characters of one part: responses stay small. */
const PART_LENGTH = 262_144;

type Outcome<Value> = Promise<Result<Value, StatementRefusal>>;

export class StatementService {
  readonly #store: StatementStore;
  readonly #needs: StatementNeeds;
  #working: Promise<void> = Promise.resolve();

  constructor({ store, needs }: { readonly store: StatementStore; readonly needs: StatementNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async make(userId: number, body: MakeBody): Outcome<StatementFile> {
    const { kind, format, asset = "", basis = "FIFO", from, to, clientId } = body;
    const nowMs = this.#needs.now();
    const wrong = findPeriodProblem(from, to, nowMs);
    if (wrong !== undefined) return refused(wrong);
    if (asset !== "" && this.#needs.findAsset(asset) === undefined) return refused("UNKNOWN_ASSET");
    const asked = { kind, format, asset, basis, from_ms: from, to_ms: to };
    const progress = { reason: "", rows_done: 0, rows_all: 0, parts: 0, bytes: 0, sha256: "", journal_head: 0 };
    const row = { file_id: this.#needs.randomId(), user_id: userId, client_id: clientId, created_ms: nowMs };
    const most = { files: FILES_MAX, underWay: UNDER_WAY_MAX };
    const added = await this.#store.add({ ...row, ...asked, ...progress, state: "WAITING" }, most);
    if (added === "full") return refused("STATEMENTS_FULL");
    if (added === "busy") return refused("STATEMENTS_BUSY", "10");
    const kept = await this.#store.findIntent(userId, clientId);
    if (kept === undefined) return refused("STATEMENT_UNKNOWN");
    const isSame = (Object.keys(asked) as (keyof typeof asked)[]).every((name) => kept[name] === asked[name]);
    if (!isSame) return refused("CLIENT_ID_REUSED");
    this.work().catch((error: unknown) => this.#needs.report("statements.work.failed", { error }));
    this.#needs.changed(userId);
    return done(describe(kept));
  }

  async list(userId: number): Promise<StatementFiles> {
    return { files: (await this.#store.list(userId, FILES_MAX)).map(describe), nowMs: this.#needs.now() };
  }

  /** One that is being made stops at its next page. */
  async remove(userId: number, fileId: string): Outcome<StatementFiles> {
    if (!(await this.#store.remove(userId, fileId))) return refused("STATEMENT_UNKNOWN");
    this.#needs.changed(userId);
    return done(await this.list(userId));
  }

  async readPart(userId: number, fileId: string, part: number): Outcome<FilePart> {
    const row = await this.#store.find(fileId);
    if (row === undefined || row.user_id !== userId) return refused("STATEMENT_UNKNOWN");
    if (row.state !== "DONE") return refused("STATEMENT_NOT_MADE");
    const text = await this.#store.readPart(fileId, part);
    if (text === undefined) return refused("STATEMENT_UNKNOWN");
    return done({ name: nameOf(row), mediaType: MEDIA_TYPES[row.format], part, parts: row.parts, text });
  }

  /** The size of a statement of one coin. */
  async preview(userId: number, { asset, from, to }: { asset: string; from: number; to: number }): Outcome<Preview> {
    const coin = this.#needs.findAsset(asset);
    if (coin === undefined) return refused("UNKNOWN_ASSET");
    if (from >= to) return refused("PERIOD_INVALID");
    await this.#needs.settled();
    const accounts = [...(await this.#needs.listBooks(userId)).keys()];
    const range: Range = { accounts, asset: coin.asset, fromMs: from, toMs: to };
    const [openings, sums] =
      accounts.length === 0
        ? [[], []]
        : await Promise.all([this.#store.openings(range), this.#store.sumByBusiness(range)]);
    const opening = openings.reduce((sum, one) => sum + one.units, 0n);
    const byGroup = new Map<PreviewGroup, bigint>();
    for (const { business, units: change } of sums) {
      const group = groupOf(business);
      byGroup.set(group, (byGroup.get(group) ?? 0n) + change);
    }
    const text = (value: bigint): string => formatUnits(units(value), coin.scale);
    return done({
      asset,
      opening: text(opening),
      closing: text(sums.reduce((sum, one) => sum + one.units, opening)),
      rows: sums.reduce((sum, { count }) => sum + count, 0),
      groups: PREVIEW_GROUPS.flatMap((group) => {
        const change = byGroup.get(group);
        return change === undefined ? [] : [{ group, change: text(change) }];
      }),
    });
  }

  /** All that wait, one after the other, including those interrupted by a stop. Later requests queue behind. */
  work(): Promise<void> {
    this.#working = this.#working.catch(() => undefined).then(() => this.#workAll());
    return this.#working;
  }

  async #workAll(): Promise<void> {
    for (let row = await this.#store.next(); row !== undefined; row = await this.#store.next()) {
      await this.#makeOne(row);
      this.#needs.changed(row.user_id);
    }
    await this.#store.removeOld(this.#needs.now() - KEPT_MS);
  }

  async #makeOne(row: FileRow): Promise<void> {
    await this.#needs.settled();
    const books = await this.#needs.listBooks(row.user_id);
    const coin = row.asset === "" ? undefined : this.#needs.findAsset(row.asset)?.asset;
    const range: Range = { accounts: [...books.keys()], asset: coin, fromMs: row.from_ms, toMs: row.to_ms };
    const rowsAll = books.size === 0 ? 0 : await this.#store.count(range);
    if (rowsAll > ROWS_MAX) {
      await this.#store.change(row.file_id, { state: "FAILED", reason: "STATEMENT_TOO_LONG" });
      return;
    }
    await this.#store.change(row.file_id, { state: "MAKING", rows_all: rowsAll, rows_done: 0 });
    let made: Made | undefined;
    try {
      made = await this.#read(row, range, books);
    } catch (error) {
      this.#needs.report("statement.failed", { fileId: row.file_id, error });
      await this.#store.change(row.file_id, { state: "FAILED", reason: "STATEMENT_FAILED" });
      return;
    }
    if (made === undefined) return;
    const texts: string[] = [];
    for (let at = 0; at < made.text.length; at += PART_LENGTH) texts.push(made.text.slice(at, at + PART_LENGTH));
    const ended = {
      state: "DONE",
      rows_done: made.rows,
      rows_all: made.rows,
      parts: texts.length,
      bytes: Buffer.byteLength(made.text),
      sha256: sha256Of(made.text),
      journal_head: made.journalHead,
    } as const;
    await this.#store.finish(row.file_id, ended, texts);
  }

  async #read(row: FileRow, range: Range, accounts: ReadonlyMap<number, string>): Promise<Made | undefined> {
    const { kind, format, asset, basis, from_ms: fromMs, to_ms: toMs, user_id: userId } = row;
    return makeStatement(
      { userId, kind, format, asset, basis, fromMs, toMs },
      {
        store: this.#store,
        accounts,
        findAsset: (number) => this.#needs.findAssetById(number),
        // Before it is listed nothing can have moved.
        money: this.#needs.findAsset("USDT")?.asset ?? 0,
        values: this.#needs.values,
        issuer: this.#needs.issuer,
        customer: await this.#needs.describeCustomer(userId),
        range: accounts.size === 0 ? { ...range, accounts: [-1] } : range,
        progress: async (rowsDone) => {
          const isThere = await this.#store.change(row.file_id, { rows_done: rowsDone });
          this.#needs.changed(userId);
          return isThere;
        },
      },
    );
  }
}

function nameOf({ kind, format, asset, from_ms, to_ms }: FileRow): string {
  const coin = asset === "" ? "all" : asset.toLowerCase();
  return `clockwork-${kind}-${coin}-${formatDate(from_ms)}-${formatDate(to_ms - 1)}.${format.toLowerCase()}`;
}

function describe(row: FileRow): StatementFile {
  return {
    fileId: row.file_id,
    clientId: row.client_id,
    kind: row.kind,
    format: row.format,
    asset: row.asset === "" ? null : row.asset,
    basis: row.basis,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    state: row.state,
    reason: row.reason,
    rowsDone: row.rows_done,
    rowsAll: row.rows_all,
    parts: row.parts,
    bytes: row.bytes,
    sha256: row.sha256,
    journalHead: row.journal_head,
    name: nameOf(row),
    createdAtMs: row.created_ms,
  };
}
