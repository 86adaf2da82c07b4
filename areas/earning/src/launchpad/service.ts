// Use cases of launches: the list, the user's own part, joining, paying and leaving. Automatic steps of a round are the
// draw's; the line of a flash sale is its own.
import { ticketsOf } from "@clockwork/kit/earn/launch";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type {
  JoinBody,
  LaunchDraw,
  LaunchOrder,
  LaunchOwn,
  LaunchProject,
  LaunchProjects,
  LaunchRound,
} from "./contract.ts";
import type { DrawService, LaunchParts } from "./draw-service.ts";
import type { LaunchRefusal } from "./refusals.ts";
import { costOf, LAUNCH_LEVEL, projectState, rangesOf, roundState, seedOf, USDT_SCALE } from "./rules.ts";
import type { CommitRow, OrderRow, ProjectRow, RoundRow } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, LaunchRefusal>>;
const usdt = (value: bigint): string => formatUnits(units(value), USDT_SCALE);
const RANGES_MAX = 200_000;
/** Completed draws are read often and never change; this many are cached. */
const DRAWS_KEPT = 8;

export class LaunchService {
  readonly #parts: LaunchParts;
  readonly #draws: DrawService;
  readonly #drawn = new Map<string, LaunchDraw>();

  constructor(parts: LaunchParts, draws: DrawService) {
    this.#parts = parts;
    this.#draws = draws;
  }

  async list(timeMs: number): Promise<LaunchProjects> {
    const projects: LaunchProject[] = [];
    for (const row of await this.#parts.store.listProjects()) projects.push(await this.#describe(row, timeMs));
    return { projects, timeMs };
  }

  async read(projectId: string, timeMs: number): Outcome<LaunchProject> {
    const row = await this.#parts.store.findProject(projectId);
    return row === undefined ? refused("PROJECT_UNKNOWN") : done(await this.#describe(row, timeMs));
  }

  async #describe(row: ProjectRow, timeMs: number): Promise<LaunchProject> {
    const rounds = await this.#parts.store.listRounds(row.project_id);
    const coins = (value: bigint): string => formatUnits(units(value), row.scale);
    const stock = rounds.reduce((sum, { stock_units }) => sum + stock_units, 0n);
    const described: LaunchRound[] = [];
    for (const round of rounds) described.push(await this.#describeRound(round, row, timeMs));
    return {
      projectId: row.project_id,
      name: row.name,
      asset: row.asset,
      summary: row.summary,
      supply: row.supply,
      price: usdt(row.price_units),
      forSale: coins(stock),
      raiseMost: usdt(costOf(stock, row)),
      vestFirstPercent: row.vest_bps / 100,
      vestDays: row.vest_days,
      announcedAtMs: row.announced_ms,
      listingAtMs: row.listing_ms,
      state: projectState(row, rounds, timeMs),
      rounds: described,
      isSimulated: row.is_simulated,
      timeMs,
    };
  }

  async #describeRound(round: RoundRow, project: ProjectRow, timeMs: number): Promise<LaunchRound> {
    const { store, book } = this.#parts;
    const coins = (value: bigint): string => formatUnits(units(value), project.scale);
    const [{ people, committed }, counts] = await Promise.all([
      store.sumEntries(round.round_id),
      store.countOrders(round.round_id),
    ]);
    return {
      roundId: round.round_id,
      number: round.number,
      promise: round.kind === "lottery" ? seedOf(round, project).promise : null,
      kind: round.kind,
      state: roundState(round, project, timeMs),
      stock: coins(round.stock_units),
      lot: coins(round.lot_units),
      cap: round.kind === "subscription" ? coins(round.cap_units) : null,
      ticketsMax: round.tickets_max,
      ticketUnit: usdt(round.unit_units),
      snapshotDays: round.snapshot_days,
      preheatAtMs: round.preheat_ms,
      opensAtMs: round.opens_ms,
      closesAtMs: round.closes_ms,
      drawAtMs: round.draw_ms ?? round.closes_ms,
      payUntilMs: round.pay_until_ms,
      people,
      tickets: round.tickets,
      winners: Math.min(round.winners_max, round.tickets),
      paid: counts.PAID ?? 0,
      committed: usdt(committed),
      left: round.kind === "flash" ? coins(await book.left(round, project)) : null,
      returned: round.returned_units === null ? null : coins(round.returned_units),
    };
  }

  /**
   * Everything needed to repeat the draw; the server's seed only once the draw is made. For a project it is the lottery
   * drawn last, or else its first.
   */
  async readDraw(id: string): Outcome<LaunchDraw> {
    const { store, needs } = this.#parts;
    const kept = this.#drawn.get(id);
    if (kept !== undefined) return done(kept);
    const round = (await store.findRound(id)) ?? (await this.#findLottery(id));
    const project = round === undefined ? undefined : await store.findProject(round.project_id);
    if (round === undefined || project === undefined) return refused("ROUND_UNKNOWN");
    if (round.kind !== "lottery") return refused("ROUND_UNDRAWN");
    const roundId = round.round_id;
    const isClosed = round.root !== null;
    const entries = isClosed ? (await store.listEntries(roundId)).slice(0, RANGES_MAX) : [];
    const order = round.seed === null ? new Uint32Array() : await needs.orderOf(round.seed, round.tickets);
    const own = seedOf(round, project);
    const draw: LaunchDraw = {
      roundId,
      promise: own.promise,
      serverSeed: round.seed === null ? null : own.seed,
      root: round.root,
      publicSeed: round.public_seed,
      seed: round.seed,
      closeSequence: round.close_sequence,
      journal: round.journal === null ? null : (JSON.parse(round.journal) as LaunchDraw["journal"]),
      winnersMax: round.winners_max,
      ranges: rangesOf(entries, (userId) => this.#draws.holderOf(project, userId)),
      winners: [...order.subarray(0, round.winners_max)],
    };
    if (round.seed !== null) this.#keep(draw);
    return done(draw);
  }

  async #findLottery(projectId: string): Promise<RoundRow | undefined> {
    const lotteries = (await this.#parts.store.listRounds(projectId)).filter(({ kind }) => kind === "lottery");
    return lotteries.findLast(({ seed }) => seed !== null) ?? lotteries[0];
  }

  #keep(draw: LaunchDraw): void {
    if (this.#drawn.size >= DRAWS_KEPT) this.#drawn.delete(this.#drawn.keys().next().value ?? "");
    this.#drawn.set(draw.roundId, draw);
  }

  async join(userId: number, body: JoinBody, timeMs: number): Outcome<LaunchOwn> {
    const { store } = this.#parts;
    const found = await this.#openRound(userId, body.roundId, timeMs);
    if (!found.done) return found;
    const { round, project } = found.value;
    if (round.kind === "flash") return refused("ROUND_KIND");
    if (round.kind === "subscription") return this.#commit(userId, body, round, project, timeMs);
    const tickets = await this.#ticketsOf(userId, round);
    if (tickets === 0) return refused("NO_TICKETS");
    const row = {
      round_id: round.round_id,
      user_id: userId,
      tickets,
      commit_units: 0n,
      is_auto: body.autoPay === true,
    };
    // Joined before is joined.
    await store.join(row);
    if ((await store.findEntry(round.round_id, userId)) === undefined) return refused("ROUND_CLOSED");
    return this.status(userId, project.project_id, timeMs);
  }

  async #openRound(userId: number, roundId: string, timeMs: number): Outcome<{ round: RoundRow; project: ProjectRow }> {
    const { store, needs } = this.#parts;
    const round = await store.findRound(roundId);
    const project = round === undefined ? undefined : await store.findProject(round.project_id);
    if (round === undefined || project === undefined) return refused("ROUND_UNKNOWN");
    if (roundState(round, project, timeMs) !== "SUBSCRIBE") return refused("ROUND_CLOSED");
    if ((await needs.levelOf(userId, timeMs)) < LAUNCH_LEVEL) return refused("KYC_LEVEL_REQUIRED");
    return done({ round, project });
  }

  /** A day without a snapshot counts as an empty holding. */
  async #ticketsOf(userId: number, round: RoundRow): Promise<number> {
    const rows = await this.#parts.store.listSnapshots(round.project_id, userId);
    const last = Math.floor(round.opens_ms / DAY_MS);
    const days = Array.from({ length: round.snapshot_days }, (_, index) => last - index);
    const held = days.map((day) => rows.find((row) => row.day === day)?.units ?? 0n);
    return ticketsOf(held, round.unit_units, round.tickets_max);
  }

  async #commit(
    userId: number,
    body: JoinBody,
    round: RoundRow,
    project: ProjectRow,
    timeMs: number,
  ): Outcome<LaunchOwn> {
    const { store, needs } = this.#parts;
    const amount = parseUnits(body.amount ?? "0", USDT_SCALE);
    if (!amount.done || amount.value === 0n) return refused("INVALID_AMOUNT");
    const clientId = body.clientId ?? needs.randomId();
    await store.join({ round_id: round.round_id, user_id: userId, tickets: 0, commit_units: 0n, is_auto: false });
    if ((await store.findEntry(round.round_id, userId)) === undefined) return refused("ROUND_CLOSED");
    const isOpen = await store.addCommit({
      reference: `launch:c:${needs.hash(`${round.round_id}:${userId}:${clientId}`).slice(0, 16)}`,
      round_id: round.round_id,
      user_id: userId,
      client_id: clientId,
      units: amount.value,
      state: "intended",
      made_ms: timeMs,
    });
    if (!isOpen) return refused("ROUND_CLOSED");
    const row = await store.findCommit(round.round_id, userId, clientId);
    if (row === undefined) return refused("LAUNCH_BUSY");
    if (row.units !== amount.value) return refused("CLIENT_ID_REUSED");
    const end = row.state === "intended" ? await this.#finishCommit(row, round, project) : row.state;
    if (end === "later") return refused("LAUNCH_BUSY");
    return end === "done" ? this.status(userId, project.project_id, timeMs) : refused(refusalOf(end));
  }

  async #finishCommit(row: CommitRow, round: RoundRow, project: ProjectRow): Promise<string> {
    const { store, book } = this.#parts;
    const end = await book.commit(row.reference, round, project, row.user_id, row.units);
    if (end !== "later") await store.endCommit(row, end === "done" ? "done" : "refused");
    return end;
  }

  /** Resumes commitments a stopped process left unfinished. */
  async resume(): Promise<void> {
    const { store } = this.#parts;
    for (const row of await store.listIntendedCommits()) {
      const round = await store.findRound(row.round_id);
      const project = round === undefined ? undefined : await store.findProject(round.project_id);
      if (round !== undefined && project !== undefined) await this.#finishCommit(row, round, project);
    }
  }

  async buy(userId: number, roundId: string, timeMs: number): Outcome<LaunchOrder> {
    const { flash, needs } = this.#parts;
    // A user in line who presses again is answered from memory: a stampede reads no tables for it.
    const known = await flash.read(userId, roundId, timeMs);
    if (known === undefined && (await needs.levelOf(userId, timeMs)) < LAUNCH_LEVEL)
      return refused("KYC_LEVEL_REQUIRED");
    const bought = known === undefined ? await flash.buy(userId, roundId, timeMs) : done(known);
    return bought.done ? done(describeOrder(bought.value.order, bought.value.project, bought.value.place)) : bought;
  }

  async status(userId: number, projectId: string, timeMs: number): Outcome<LaunchOwn> {
    const { store, flash } = this.#parts;
    const project = await store.findProject(projectId);
    if (project === undefined) return refused("PROJECT_UNKNOWN");
    const rounds = await store.listRounds(projectId);
    const own = await Promise.all(rounds.map(({ round_id }) => store.findEntry(round_id, userId)));
    const live = await Promise.all(
      rounds.filter(({ kind }) => kind === "flash").map(({ round_id }) => flash.read(userId, round_id, timeMs)),
    );
    const lines = new Map(live.flatMap((one) => (one === undefined ? [] : [[one.order.order_id, one] as const])));
    const stored = (await store.listOwnOrders(projectId, userId)).filter(({ order_id }) => !lines.has(order_id));
    return done({
      projectId,
      holder: this.#draws.holderOf(project, userId),
      snapshots: (await store.listSnapshots(projectId, userId)).map(({ day, units: held }) => ({
        day,
        amount: usdt(held),
      })),
      entries: own.flatMap((entry) =>
        entry === undefined
          ? []
          : [
              {
                roundId: entry.round_id,
                tickets: entry.tickets,
                firstTicket: entry.first_ticket,
                committed: usdt(entry.commit_units),
                isAuto: entry.is_auto,
              },
            ],
      ),
      orders: [
        ...stored.map((order) => describeOrder(order, project, order.place)),
        ...[...lines.values()].map(({ order, place }) => describeOrder(order, project, place)),
      ],
      timeMs,
    });
  }

  async pay(userId: number, orderId: string): Outcome<LaunchOrder> {
    const found = await this.#ownOrder(userId, orderId);
    if (!found.done) return found;
    const { order, project } = found.value;
    if (order.state === "PAID") return done(describeOrder(order, project, order.place));
    if (order.state === "TIMEOUT") return refused("PAY_WINDOW_OVER");
    if (order.state !== "WON") return refused("ORDER_STATE");
    const end = await this.#draws.pay(order);
    if (end === "later") return refused("LAUNCH_BUSY");
    return end === "PAID"
      ? done(describeOrder({ ...order, state: "PAID" }, project, order.place))
      : refused(refusalOf(end));
  }

  async cancel(userId: number, orderId: string): Outcome<LaunchOrder> {
    const found = await this.#ownOrder(userId, orderId);
    if (!found.done) return found;
    const { order, project } = found.value;
    if (order.state !== "WON" && order.state !== "CANCELLED") return refused("ORDER_STATE");
    const end = order.state === "WON" ? await this.#draws.cancel(order) : "gone";
    if (end !== "gone") return refused(end === "paid" ? "ORDER_STATE" : "LAUNCH_BUSY");
    return done(describeOrder({ ...order, state: "CANCELLED" }, project, order.place));
  }

  async #ownOrder(userId: number, orderId: string): Outcome<{ order: OrderRow; project: ProjectRow }> {
    const order = await this.#parts.store.findOrder(orderId);
    const project = order === undefined ? undefined : await this.#parts.store.findProject(order.project_id);
    if (order === undefined || project === undefined || order.user_id !== userId) return refused("ORDER_UNKNOWN");
    return done({ order, project });
  }
}

function refusalOf(code: string): LaunchRefusal {
  if (code === "INSUFFICIENT_BALANCE" || code === "ACCOUNT_BLOCKED" || code === "IN_DEBT") return code;
  if (code === "PAY_WINDOW_OVER" || code === "ROUND_CLOSED" || code === "ORDER_STATE") return code;
  return code === "refused" ? "INSUFFICIENT_BALANCE" : "LAUNCH_BUSY";
}

function describeOrder(order: OrderRow, project: ProjectRow, place: number): LaunchOrder {
  const coins = (value: bigint): string => formatUnits(units(value), project.scale);
  return {
    orderId: order.order_id,
    roundId: order.round_id,
    state: order.state,
    place,
    amount: coins(order.token_units),
    cost: usdt(order.cost_units),
    released: coins(order.released_units),
    untilMs: order.until_ms,
  };
}
