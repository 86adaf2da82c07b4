// The automatic steps of rounds: daily snapshots, closing with the root of the tickets, the draw once a seed set
// afterwards is public, shares of a subscription, the waiting list, and coins as they vest. Each step is a stage of the
// row, taken once; its movements have references of their own, so an interrupted stage is simply repeated.
import { drawSeed, publicSeedOf } from "@clockwork/kit/earn/draw";
import { shareProRata, vestedUnits } from "@clockwork/kit/earn/launch";
import { DAY_MS } from "@clockwork/kit/time";
import type { BookEnd, LaunchBook } from "./book-service.ts";
import type { FlashService } from "./flash-service.ts";
import type { LaunchNeeds } from "./needs.ts";
import { PayService } from "./pay-service.ts";
import { coinsFor, costOf, isDrawDue, ownerOf, rangesOf, seedOf, WAITING_PAY_MS } from "./rules.ts";
import type { LaunchStore, OrderRow, ProjectRow, RoundRow } from "./store.ts";

export interface LaunchParts {
  readonly store: LaunchStore;
  readonly needs: LaunchNeeds;
  readonly book: LaunchBook;
  readonly flash: FlashService;
}

/** Coins are reserved for this many at a time. */
const CHUNK = 64;

export class DrawService {
  readonly #parts: LaunchParts;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #pays: PayService;

  constructor(parts: LaunchParts) {
    this.#parts = parts;
    this.#pays = new PayService(parts);
  }

  pay(order: OrderRow): Promise<"PAID" | "later" | string> {
    return this.#pays.pay(order);
  }

  cancel(order: OrderRow): Promise<"gone" | "paid" | "later"> {
    return this.#pays.cancel(order);
  }

  /** 32 digits that distinguish a user's tickets from others' and do not identify the user. */
  holderOf(project: ProjectRow, userId: number): string {
    return this.#parts.needs.hash(`holder:${project.salt}:${userId}`).slice(0, 32);
  }

  /** The day's holdings of all users who could have a ticket. */
  async snapshot(dueMs: number): Promise<void> {
    const { store, needs } = this.#parts;
    const rounds = await store.listPreheated(dueMs);
    if (rounds.length === 0) return;
    const least = rounds.reduce(
      (low, { unit_units }) => (unit_units < low ? unit_units : low),
      rounds[0]?.unit_units ?? 1n,
    );
    const holders = await needs.listHolders(least);
    const day = Math.floor(dueMs / DAY_MS);
    for (const { project_id } of rounds) {
      await store.addSnapshots(
        holders.map(({ userId, heldUnits }) => ({ project_id, user_id: userId, day, units: heldUnits })),
      );
    }
  }

  run(timeMs: number): Promise<void> {
    return this.#inTurn(() => this.#run(timeMs));
  }

  /** Rounds advance and launches are stopped one after the other, so that no share is refunded while it is given. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#turn.then(work, work);
    this.#turn = next;
    return next;
  }

  async #run(timeMs: number): Promise<void> {
    const { store } = this.#parts;
    for (const round of await store.listStage("OPEN", timeMs)) await this.#with(round, () => this.#close(round));
    for (const round of await store.listStage("CLOSED", timeMs)) {
      await this.#with(round, (project) =>
        round.kind === "lottery"
          ? this.#draw(round, project, timeMs)
          : isDrawDue(round, timeMs)
            ? this.#share(round, project)
            : undefined,
      );
    }
    await this.#pays.debit(timeMs);
    await this.#pays.expire(timeMs);
    for (const round of await store.listStage("DRAWN", timeMs)) {
      if (timeMs >= round.pay_until_ms) await this.#with(round, (project) => this.#wait(round, project, timeMs));
    }
    for (const project of await store.listProjects()) await this.#distribute(project, timeMs);
    for (const round of await store.listUnreturned()) await this.#end(round);
  }

  async #with(round: RoundRow, work: (project: ProjectRow) => Promise<unknown> | undefined): Promise<void> {
    const project = await this.#parts.store.findProject(round.project_id);
    if (project !== undefined && project.state !== "CANCELLED") await work(project);
  }

  /** From here on no user can join. */
  async #close(round: RoundRow): Promise<void> {
    await this.#parts.store.closeRound(round, { stage: round.kind === "flash" ? "WAITED" : "CLOSED" });
  }

  /** The tickets of a closed round are fixed by their root, which includes all who joined. */
  async #bind(round: RoundRow, project: ProjectRow): Promise<RoundRow> {
    const { store, needs } = this.#parts;
    if (round.root !== null) return round;
    const entries = await store.listEntries(round.round_id);
    const root = await needs.rootOf(rangesOf(entries, (userId) => this.holderOf(project, userId)));
    const tickets = entries.reduce((sum, { tickets: own }) => sum + own, 0);
    const bound = { root, tickets, close_sequence: needs.sequence() };
    await store.stepRound(round, bound);
    return { ...round, ...bound };
  }

  async #draw(closed: RoundRow, project: ProjectRow, timeMs: number): Promise<void> {
    const { store, needs } = this.#parts;
    const round = await this.#bind(closed, project);
    if (!isDrawDue(round, timeMs)) return;
    const seed = round.seed ?? (await this.#seed(round, project));
    if (seed === undefined) return;
    const order = await needs.orderOf(seed, round.tickets);
    const isAwarded = await this.#award(round, project, order.subarray(0, round.winners_max), timeMs, 0);
    if (isAwarded) await store.stepRound(round, { stage: "DRAWN" });
  }

  /** The seed of the shuffle, stored before anything is given: a second try draws the same. */
  async #seed(round: RoundRow, project: ProjectRow): Promise<string | undefined> {
    const { store, needs } = this.#parts;
    const journal = await needs.seedAfter(round.close_sequence);
    if (journal === undefined || round.root === null) return undefined;
    const publicSeed = publicSeedOf(round.close_sequence, journal);
    const seed = drawSeed(seedOf(round, project).seed, round.root, publicSeed);
    await store.stepRound(round, { public_seed: publicSeed, journal: JSON.stringify(journal), seed });
    return seed;
  }

  /** Orders for drawn tickets, one for each user, with reserved coins of the stock; false while some could not be. */
  async #award(
    round: RoundRow,
    project: ProjectRow,
    tickets: Uint32Array,
    timeMs: number,
    turn: 0 | 1,
  ): Promise<boolean> {
    const { store, needs } = this.#parts;
    const entries = await store.listEntries(round.round_id);
    const won = new Map<number, { count: bigint; place: number }>();
    for (const [place, ticket] of tickets.entries()) {
      const owner = ownerOf(entries, ticket);
      if (owner === undefined) continue;
      const before = won.get(owner.user_id);
      won.set(owner.user_id, { count: (before?.count ?? 0n) + 1n, place: before?.place ?? place + 1 });
    }
    const untilMs = turn === 0 ? round.pay_until_ms : timeMs + WAITING_PAY_MS;
    const orders: OrderRow[] = [...won].map(([userId, { count, place }]) => ({
      order_id: needs.hash(`draw:${round.round_id}:${userId}:${turn}`).slice(0, 16),
      round_id: round.round_id,
      project_id: round.project_id,
      user_id: userId,
      place,
      token_units: round.lot_units * count,
      cost_units: costOf(round.lot_units * count, project),
      released_units: 0n,
      state: "WON",
      until_ms: untilMs,
      made_ms: timeMs,
    }));
    await store.addOrders(orders);
    // A second try uses the times of the first.
    const own = new Set(orders.map(({ order_id }) => order_id));
    const waiting = (await store.listOrders(round.round_id, ["WON"])).filter(({ order_id }) => own.has(order_id));
    for (let at = 0; at < waiting.length; at += CHUNK) {
      const some = waiting.slice(at, at + CHUNK);
      const ends = await Promise.all(some.map((order) => this.#reserve(order, round, project, timeMs)));
      if (ends.includes("later")) return false;
    }
    return true;
  }

  async #reserve(order: OrderRow, round: RoundRow, project: ProjectRow, timeMs: number): Promise<BookEnd> {
    const end = await this.#parts.book.reserve(order, round, project);
    if (end === "done") await this.#notify(order, project, timeMs);
    else if (end !== "later") this.#parts.needs.report("launchpad.unreserved", { order: order.order_id, code: end });
    return end;
  }

  async #notify(order: OrderRow, project: ProjectRow, timeMs: number): Promise<void> {
    const body = `Your tickets for ${project.name} have won. Pay before the time is over, or they go to the waiting list.`;
    const notice = {
      reference: `launch:${order.order_id}`,
      title: "Your tickets have won",
      body,
      path: `/launchpad/${project.project_id}`,
    };
    await this.#parts.needs.notify(order.user_id, notice, timeMs);
  }

  /** Shares of a subscription: coins to the escrow, the rest of each commitment refunded. */
  async #share(round: RoundRow, project: ProjectRow): Promise<void> {
    const { store, needs, book } = this.#parts;
    const entries = (await store.listEntries(round.round_id)).filter(({ commit_units }) => commit_units > 0n);
    const given = shareProRata(
      round.stock_units,
      entries.map(({ commit_units }) => {
        const affordable = coinsFor(commit_units, project);
        return { commitUnits: commit_units, capUnits: affordable < round.cap_units ? affordable : round.cap_units };
      }),
      round.lot_units,
    );
    for (const [index, { user_id, commit_units }] of entries.entries()) {
      const tokenUnits = given[index] as bigint;
      const order: OrderRow = {
        order_id: needs.hash(`share:${round.round_id}:${user_id}`).slice(0, 16),
        round_id: round.round_id,
        project_id: round.project_id,
        user_id,
        place: 0,
        token_units: tokenUnits,
        cost_units: costOf(tokenUnits, project),
        released_units: 0n,
        state: "PAID",
        until_ms: 0,
        made_ms: round.closes_ms,
      };
      const end = await book.allocate(order, round, project, commit_units - order.cost_units);
      if (end === "later") return;
      if (end !== "done") needs.report("launchpad.unshared", { order: order.order_id, code: end });
      else await store.addOrders([order]);
    }
    await store.endShare(round.round_id);
  }

  /** As many tickets of the waiting list as were not paid for, in drawing order; once. */
  async #wait(round: RoundRow, project: ProjectRow, timeMs: number): Promise<void> {
    const { store, needs } = this.#parts;
    if (round.kind === "lottery" && round.seed !== null) {
      const isFirst = ({ until_ms }: OrderRow): boolean => until_ms <= round.pay_until_ms;
      // A user whose payment is not decided yet keeps their tickets: the list is served once.
      if ((await store.listOrders(round.round_id, ["WON"])).some(isFirst)) return;
      const unpaid = (await store.listOrders(round.round_id, ["TIMEOUT", "CANCELLED"])).filter(isFirst);
      const free = Number(unpaid.reduce((sum, { token_units }) => sum + token_units / round.lot_units, 0n));
      const order = await needs.orderOf(round.seed, round.tickets);
      const next = order.subarray(round.winners_max, round.winners_max + free);
      if (!(await this.#award(round, project, next, timeMs, 1))) return;
    }
    await store.stepRound(round, { stage: "WAITED" });
  }

  /** From the listing on, the part of every order that has vested by today. */
  async #distribute(project: ProjectRow, timeMs: number): Promise<void> {
    const { store, book } = this.#parts;
    if (project.state === "CANCELLED" || timeMs < project.listing_ms) return;
    const rounds = new Map((await store.listRounds(project.project_id)).map((round) => [round.round_id, round]));
    const day = Math.floor((timeMs - project.listing_ms) / DAY_MS);
    const vesting = { firstBps: project.vest_bps, days: project.vest_days };
    for (let after = ""; ; ) {
      const orders = await store.listPaid(project.project_id, after);
      for (const order of orders) {
        const round = rounds.get(order.round_id);
        const vested = vestedUnits(order.token_units, vesting, day);
        if (round === undefined || vested <= order.released_units) continue;
        const end = await book.vest(order, round, project, vested - order.released_units, day);
        if (end === "done") await store.release(order, vested);
      }
      after = orders.at(-1)?.order_id ?? "";
      if (orders.length === 0) break;
    }
    if (project.state === "ACTIVE") await store.stepProject(project.project_id, "ACTIVE", "DISTRIBUTED");
  }

  /** Ends a launch before its listing: all payments are refunded. A repeat resumes where it was. */
  stop(projectId: string, timeMs: number): Promise<"done" | "later" | "refused"> {
    return this.#inTurn(async () => {
      const { store } = this.#parts;
      const project = await store.findProject(projectId);
      if (project === undefined || project.state === "DISTRIBUTED") return "refused";
      if (project.state === "ACTIVE" && timeMs >= project.listing_ms) return "refused";
      await store.stepProject(projectId, "ACTIVE", "CANCELLED");
      const cancelled = { ...project, state: "CANCELLED" } as const;
      let isDone = true;
      for (const round of await store.listRounds(projectId)) {
        if (!(await this.#unwind(round, cancelled))) isDone = false;
      }
      return isDone ? "done" : "later";
    });
  }

  /** Ends a cancelled round; false while a refund is outstanding. */
  async #unwind(round: RoundRow, project: ProjectRow): Promise<boolean> {
    const { store, book } = this.#parts;
    if (round.stage === "OPEN" && !(await store.closeRound(round, { stage: "WAITED" }))) return false;
    if (round.kind === "subscription" && round.stage === "CLOSED") {
      // Started shares are finished first: then what is left to refund is in the orders only.
      await this.#share(round, project);
      if ((await store.findRound(round.round_id))?.stage !== "WAITED") return false;
    }
    for (let commits = await store.listCommits(round.round_id, "done"); commits.length > 0; ) {
      for (const { reference, user_id, units } of commits) {
        if ((await book.refundCommit(`${reference}:b`, round, project, user_id, units)) !== "done") return false;
        await store.refundCommit(reference);
      }
      commits = await store.listCommits(round.round_id, "done");
    }
    const queued = await store.listOrders(round.round_id, ["QUEUED"]);
    await store.stepMany(
      queued.map(({ order_id }) => order_id),
      "QUEUED",
      "CANCELLED",
    );
    for (const order of await store.listOrders(round.round_id, ["WON"])) {
      const end = await this.#pays.giveUp(order, round, project);
      if (end === "later") return false;
      if (end === "gone") await store.stepMany([order.order_id], order.state, "CANCELLED");
    }
    for (const order of await store.listOrders(round.round_id, ["PAID"])) {
      if ((await book.refund(order, round, project)) !== "done") return false;
      await store.stepOrder(order.order_id, "PAID", "REFUNDED");
    }
    return true;
  }

  /** Once a round is closed to buyers, the rest of its stock returns to the exchange; once. */
  async #end(round: RoundRow): Promise<void> {
    const { store, book, needs } = this.#parts;
    const project = await store.findProject(round.project_id);
    if (project === undefined) return;
    const isCancelled = project.state === "CANCELLED";
    const isOver = isCancelled ? await this.#unwind(round, project) : round.stage === "WAITED";
    // A user may have won or paid since: then it is checked again.
    const open = isCancelled ? (["WON", "QUEUED", "PAID"] as const) : (["WON", "QUEUED"] as const);
    if (!isOver || (await store.listOrders(round.round_id, open)).length > 0) return;
    const unsold = round.stock_units - (await store.sumSold(round.round_id));
    // A coin that was never listed has no stock either.
    const isThere = unsold > 0n && needs.findAsset(project.asset) !== undefined;
    const end = isThere ? await book.giveBack(round, project, unsold) : "done";
    if (end === "done") await store.endRound(round.round_id, isThere ? unsold : 0n);
    else if (end !== "later") needs.report("launchpad.unreturned", { round: round.round_id, code: end });
  }
}
