// The line of a flash sale: every caller is given a place at once, commands reach the core in that order, and every
// user has one turn. Bounded: beyond its length callers get a retry time. The stock is the core's only.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { LaunchBook } from "./book-service.ts";
import type { LaunchNeeds } from "./needs.ts";
import type { LaunchRefusal } from "./refusals.ts";
import { costOf, FLASH_PAY_MS, roundState } from "./rules.ts";
import type { LaunchStore, OrderRow, ProjectRow, RoundRow } from "./store.ts";

export interface FlashParts {
  readonly store: LaunchStore;
  readonly needs: LaunchNeeds;
  readonly book: LaunchBook;
  readonly lineMax?: number;
}

/** A user's place in line, and what it is for. */
export interface Turn {
  readonly order: OrderRow;
  readonly project: ProjectRow;
  readonly place: number;
}

interface Sale {
  readonly round: RoundRow;
  readonly project: ProjectRow;
  /** By user; as far as this process has them. */
  readonly orders: Map<number, OrderRow>;
  readonly line: OrderRow[];
  readAtMs: number;
  served: number;
  joined: number;
  isWorking: boolean;
}

const LINE_MAX = 20_000;
/** Small enough that writing them blocks the thread only briefly: trading continues next to a sale. */
const CHUNK = 64;
/** A round is read again after this. */
const READ_MS = 2_000;

export class FlashService {
  readonly #parts: FlashParts;
  readonly #sales = new Map<string, Promise<Sale | undefined>>();

  constructor(parts: FlashParts) {
    this.#parts = parts;
  }

  async buy(userId: number, roundId: string, timeMs: number): Promise<Result<Turn, LaunchRefusal>> {
    const sale = await this.#open(roundId, timeMs);
    if (sale === undefined) return refused("ROUND_UNKNOWN");
    if (sale.round.kind !== "flash") return refused("ROUND_KIND");
    const known = sale.orders.get(userId);
    if (known !== undefined) return done(this.#turnOf(sale, known));
    if (roundState(sale.round, sale.project, timeMs) !== "SUBSCRIBE") return refused("ROUND_CLOSED");
    if (sale.line.length >= (this.#parts.lineMax ?? LINE_MAX)) return refused("SALE_BUSY", "1");
    sale.joined += 1;
    const order = this.#orderOf(sale, userId, timeMs);
    sale.orders.set(userId, order);
    sale.line.push(order);
    void this.#work(sale);
    return done(this.#turnOf(sale, order));
  }

  /** The user's turn in this process, newer than the tables. */
  async read(userId: number, roundId: string, timeMs: number): Promise<Turn | undefined> {
    const sale = await this.#open(roundId, timeMs);
    const order = sale?.orders.get(userId);
    return sale === undefined || order === undefined ? undefined : this.#turnOf(sale, order);
  }

  /** An order changed elsewhere: paid, cancelled, timed out. */
  async note(order: OrderRow): Promise<void> {
    (await this.#sales.get(order.round_id))?.orders.set(order.user_id, order);
  }

  /** Resumes those a stopped process left in line. */
  async resume(timeMs: number): Promise<void> {
    for (const order of await this.#parts.store.listQueued()) {
      const sale = await this.#open(order.round_id, timeMs);
      if (sale === undefined || sale.isWorking) continue;
      if (sale.line.some(({ order_id }) => order_id === order.order_id)) continue;
      sale.line.push(order);
    }
    // Also those a failed write has left in line.
    for (const opened of this.#sales.values()) {
      const sale = await opened;
      if (sale !== undefined && sale.line.length > 0) void this.#work(sale);
    }
  }

  #turnOf({ project, served }: Sale, order: OrderRow): Turn {
    return { order, project, place: order.state === "QUEUED" ? Math.max(1, order.place - served) : 0 };
  }

  #orderOf({ round, project, joined }: Sale, userId: number, timeMs: number): OrderRow {
    return {
      order_id: this.#parts.needs.hash(`flash:${round.round_id}:${userId}`).slice(0, 16),
      round_id: round.round_id,
      project_id: round.project_id,
      user_id: userId,
      place: joined,
      token_units: round.lot_units,
      cost_units: costOf(round.lot_units, project),
      released_units: 0n,
      state: "QUEUED",
      // Counted from the user's turn, which comes later.
      until_ms: 0,
      made_ms: timeMs,
    };
  }

  #open(roundId: string, timeMs: number): Promise<Sale | undefined> {
    const known = this.#sales.get(roundId);
    if (known !== undefined) return known.then((sale) => this.#fresh(sale, roundId, timeMs));
    const opened = this.#load(roundId, timeMs);
    this.#sales.set(roundId, opened);
    // An unknown name is not cached, nor a failure.
    const remove = (): void => void this.#sales.delete(roundId);
    opened.then((sale) => sale ?? remove(), remove);
    return opened;
  }

  async #fresh(sale: Sale | undefined, roundId: string, timeMs: number): Promise<Sale | undefined> {
    if (sale === undefined || timeMs - sale.readAtMs < READ_MS) return sale;
    sale.readAtMs = timeMs;
    const [round, project] = await this.#read(roundId);
    if (round !== undefined && project !== undefined) Object.assign(sale, { round, project });
    return sale;
  }

  async #read(roundId: string): Promise<readonly [RoundRow | undefined, ProjectRow | undefined]> {
    const round = await this.#parts.store.findRound(roundId);
    return [round, round === undefined ? undefined : await this.#parts.store.findProject(round.project_id)];
  }

  async #load(roundId: string, timeMs: number): Promise<Sale | undefined> {
    const [round, project] = await this.#read(roundId);
    if (round === undefined || project === undefined) return undefined;
    const states = ["QUEUED", "WON", "LOST", "PAID", "CANCELLED", "TIMEOUT", "REFUNDED"] as const;
    const rows = round.kind === "flash" ? await this.#parts.store.listOrders(roundId, states) : [];
    const joined = rows.reduce((most, { place }) => Math.max(most, place), 0);
    const orders = new Map(rows.map((row) => [row.user_id, row]));
    return { round, project, orders, line: [], readAtMs: timeMs, served: joined, joined, isWorking: false };
  }

  /** One chunk after the other: written, submitted to the core in order, published. */
  async #work(sale: Sale): Promise<void> {
    if (sale.isWorking) return;
    sale.isWorking = true;
    try {
      while (sale.line.length > 0) {
        const turns = sale.line.splice(0, CHUNK).map((order) => this.#stamp(order));
        await this.#serve(sale, turns).catch((error: unknown) => {
          // A failed write is retried in the same order.
          sale.line.unshift(...turns);
          throw error;
        });
      }
    } catch (error) {
      this.#parts.needs.report("launchpad.line.failed", { error });
    } finally {
      sale.isWorking = false;
    }
  }

  /** The ten minutes start now; a second try keeps the time of the first. */
  #stamp(order: OrderRow): OrderRow {
    return order.until_ms > 0 ? order : { ...order, until_ms: this.#parts.needs.now() + FLASH_PAY_MS };
  }

  async #serve(sale: Sale, orders: readonly OrderRow[]): Promise<void> {
    const { store, book } = this.#parts;
    await store.addOrders(orders);
    const ends = await Promise.all(orders.map((order) => book.reserve(order, sale.round, sale.project)));
    const won = orders.filter((_, index) => ends[index] === "done");
    const lost = orders.filter((_, index) => ends[index] !== "done" && ends[index] !== "later");
    await store.stepMany(
      won.map(({ order_id }) => order_id),
      "QUEUED",
      "WON",
    );
    await store.stepMany(
      lost.map(({ order_id }) => order_id),
      "QUEUED",
      "LOST",
    );
    for (const order of won) sale.orders.set(order.user_id, { ...order, state: "WON" });
    for (const order of lost) sale.orders.set(order.user_id, { ...order, state: "LOST" });
    sale.served += orders.length;
  }
}
