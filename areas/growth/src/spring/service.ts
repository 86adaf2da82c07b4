// The draws of spring cards: a draw takes one exclusive slot, waits for a seed that is public afterwards and is drawn
// by the generator of the launches. A movement's largest prize is reserved in the ledger before anything is drawn.
import type { Claimant } from "@clockwork/host/claimant";
import { commitTo, publicSeedOf } from "@clockwork/kit/earn/draw";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { CARDS, type SpringDraw, type SpringDraws, type SpringState } from "./contract.ts";
import type { SpringNeeds } from "./needs.ts";
import type { SpringRefusal } from "./refusals.ts";
import {
  countCards,
  countPrizes,
  dayOf,
  describeDraw,
  drawsOf,
  drawTicket,
  holderOf,
  largestPrize,
  prizeOf,
  readPrizes,
  rootOf,
  usdtText,
  wholeSets,
} from "./rules.ts";
import type { ActivityRow, DayRow, DrawRow, SpringStore } from "./store.ts";

type Drawn = Result<SpringDraw, SpringRefusal>;
/** Other calls of the same user may take slots in between. */
const TRIES = 5;

export class SpringService {
  readonly #store: SpringStore;
  readonly #needs: SpringNeeds;

  constructor({ store, needs }: { readonly store: SpringStore; readonly needs: SpringNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async read(userId: number | undefined, timeMs: number): Promise<SpringState> {
    const activity = await this.#store.findActivity(timeMs);
    if (activity === undefined) return { activity: null, own: null };
    const { leftUnits, fundedUnits } = await this.#needs.readBudget(activity.campaign_id);
    const { promise } = await this.#day(activity, dayOf(timeMs));
    return {
      activity: {
        activityId: activity.activity_id,
        name: activity.name,
        startsAtMs: activity.starts_ms,
        endsAtMs: activity.ends_ms,
        isOpen: isRunning(activity, timeMs),
        isSimulated: activity.is_simulated,
        pool: usdtText(fundedUnits),
        left: usdtText(leftUnits),
        volumePerDraw: usdtText(activity.volume_units),
        drawsPerDayMax: activity.draws_max,
        prizes: readPrizes(activity.prizes).map(({ count, units }) => ({ count, amount: usdtText(units) })),
        promise,
      },
      own: userId === undefined ? null : await this.#own(activity, userId, timeMs),
    };
  }

  async #own(activity: ActivityRow, userId: number, timeMs: number): Promise<NonNullable<SpringState["own"]>> {
    const draws = await this.#store.listOwn(activity.activity_id, userId);
    const counts = countCards(draws);
    const used = usedSets(draws);
    const volume = await this.#volume(userId, timeMs);
    const drawsUsed = usedToday(draws, timeMs);
    const won = draws.reduce((sum, { state, prize_units }) => sum + (state === "DONE" ? prize_units : 0n), 0n);
    return {
      cards: CARDS.map((card, index) => ({ card, held: Math.max(0, (counts[index] ?? 0) - used) })),
      drawsLeft: isRunning(activity, timeMs) ? Math.max(0, drawsOf(activity, volume) - drawsUsed) : 0,
      drawsUsed,
      volumeToday: usdtText(volume),
      movements: Math.max(0, wholeSets(counts) - used),
      won: usdtText(won),
    };
  }

  #volume(userId: number, timeMs: number): Promise<bigint> {
    return this.#needs.volumeUnits(userId, dayOf(timeMs) * DAY_MS, timeMs + 1);
  }

  /** Of every activity: the seed of an activity's last day is published when the next may have started. */
  async listDraws(userId: number, timeMs: number): Promise<SpringDraws> {
    const draws: SpringDraw[] = [];
    for (const row of await this.#store.listNewest(userId)) {
      const day = await this.#store.findDay(row.activity_id, row.seed_day);
      if (day !== undefined && row.state !== "SHORT") draws.push(describeDraw(row, day, timeMs));
    }
    return { draws };
  }

  /** A card for one of the day's draws. */
  async draw(claimant: Claimant, clientId: string | undefined): Promise<Drawn> {
    const { userId, timeMs } = claimant;
    const activity = await this.#store.findActivity(timeMs);
    if (activity === undefined || !isRunning(activity, timeMs)) return refused("NO_ACTIVITY");
    const wrong = await this.#needs.markReward(rewardOf(activity), claimant);
    if (wrong !== undefined) return refused(wrong);
    const known = await this.#known(activity, userId, clientId, timeMs);
    if (known !== undefined) return known;
    const allowed = drawsOf(activity, await this.#volume(userId, timeMs));
    for (let tries = 0; tries < TRIES; tries++) {
      const slot = usedToday(await this.#store.listOwn(activity.activity_id, userId), timeMs);
      if (slot >= allowed) return refused("NO_DRAWS_LEFT");
      const place = { what: "card", day: dayOf(timeMs), slot, tickets: CARDS.length } as const;
      const row = await this.#row(activity, userId, place, clientId, timeMs);
      if (await this.#store.add({ ...row, state: "PENDING" })) return this.#goOn(row.draw_id, timeMs);
      const same = await this.#known(activity, userId, clientId, timeMs);
      if (same !== undefined) return same;
    }
    return refused("DRAW_ON_ITS_WAY");
  }

  /** One of each card for a prize. */
  async assemble(claimant: Claimant, clientId: string | undefined): Promise<Drawn> {
    const { userId, timeMs } = claimant;
    const activity = await this.#store.findActivity(timeMs);
    if (activity === undefined || !isRunning(activity, timeMs)) return refused("NO_ACTIVITY");
    const known = await this.#known(activity, userId, clientId, timeMs);
    if (known !== undefined) return known;
    for (let tries = 0; tries < TRIES; tries++) {
      const draws = await this.#store.listOwn(activity.activity_id, userId);
      if (usedSets(draws) >= wholeSets(countCards(draws))) return refused("CARDS_MISSING");
      const wrong = await this.#needs.takeReward(rewardOf(activity), claimant);
      if (wrong !== undefined) return refused(wrong);
      const made = draws.filter(({ what }) => what === "movement");
      // One that found nothing left is retried under its own name before another starts; so there are never more of
      // them than whole sets.
      const short = made.find(({ state }) => state === "SHORT");
      if (short !== undefined) {
        if (await this.#store.step(short.draw_id, "SHORT", { state: "INTENDED" }))
          return this.#goOn(short.draw_id, timeMs);
        continue;
      }
      const tickets = countPrizes(readPrizes(activity.prizes));
      const place = { what: "movement", day: 0, slot: made.length, tickets } as const;
      const row = await this.#row(activity, userId, place, clientId, timeMs);
      if (await this.#store.add(row)) return this.#goOn(row.draw_id, timeMs);
      const same = await this.#known(activity, userId, clientId, timeMs);
      if (same !== undefined) return same;
    }
    return refused("DRAW_ON_ITS_WAY");
  }

  /** Resumes everything that waits. */
  async resume(timeMs: number): Promise<void> {
    for (const row of await this.#store.listOpen()) await this.#goOn(row.draw_id, timeMs);
  }

  async #known(activity: ActivityRow, userId: number, clientId: string | undefined, timeMs: number) {
    if (clientId === undefined) return undefined;
    const row = await this.#store.findByClient(activity.activity_id, userId, clientId);
    return row === undefined || row.state === "SHORT" ? undefined : this.#goOn(row.draw_id, timeMs);
  }

  async #row(
    activity: ActivityRow,
    userId: number,
    place: Pick<DrawRow, "what" | "day" | "slot" | "tickets">,
    clientId: string | undefined,
    timeMs: number,
  ): Promise<DrawRow> {
    const { day } = await this.#day(activity, dayOf(timeMs));
    const drawId = holderOf(this.#needs.hash(`spring:${this.#needs.randomId()}`));
    return {
      draw_id: drawId,
      activity_id: activity.activity_id,
      user_id: userId,
      ...place,
      seed_day: day,
      client_id: clientId ?? drawId,
      // A seed set after this command decides, and it is not visible yet.
      close_sequence: this.#needs.sequence(),
      root: rootOf({ draw_id: drawId, tickets: place.tickets }),
      public_seed: null,
      journal: null,
      seed: null,
      ticket: null,
      prize_units: 0n,
      state: "INTENDED",
      made_ms: timeMs,
    };
  }

  /** As far as possible now, step by step; each is taken once, by any caller. */
  async #goOn(drawId: string, timeMs: number): Promise<Drawn> {
    for (;;) {
      const row = await this.#store.find(drawId);
      const activity = row === undefined ? undefined : await this.#store.findActivityById(row.activity_id);
      if (row === undefined || activity === undefined) return refused("NO_ACTIVITY");
      const day = await this.#day(activity, row.seed_day);
      if (row.state === "SHORT") return refused("REWARD_BUDGET_SPENT");
      if (row.state === "DONE") return done(describeDraw(row, day, timeMs));
      const isStepped = await this.#step(row, activity, day, timeMs);
      if (!isStepped)
        return row.state === "INTENDED" ? refused("DRAW_ON_ITS_WAY") : done(describeDraw(row, day, timeMs));
    }
  }

  /** False when it has to wait. */
  async #step(row: DrawRow, activity: ActivityRow, day: DayRow, timeMs: number): Promise<boolean> {
    if (row.state === "INTENDED") return this.#setAside(row, activity);
    if (row.state === "PENDING") return this.#draw(row, activity, day);
    return this.#pay(row, activity, timeMs);
  }

  async #setAside(row: DrawRow, activity: ActivityRow): Promise<boolean> {
    const end = await this.#needs.setAside(
      activity.campaign_id,
      row.draw_id,
      largestPrize(readPrizes(activity.prizes)),
    );
    if (end === "later") return false;
    // Draws from now on are decided by a following seed.
    const next = end === "done" ? "PENDING" : "SHORT";
    await this.#store.step(row.draw_id, "INTENDED", { state: next, close_sequence: this.#needs.sequence() });
    return true;
  }

  async #draw(row: DrawRow, activity: ActivityRow, day: DayRow): Promise<boolean> {
    const journal = await this.#needs.seedAfter(row.close_sequence);
    if (journal === undefined) return false;
    const publicSeed = publicSeedOf(row.close_sequence, journal);
    const { seed, ticket } = drawTicket(row, day.server_seed, publicSeed);
    const isCard = row.what === "card";
    await this.#store.step(row.draw_id, "PENDING", {
      public_seed: publicSeed,
      journal: JSON.stringify(journal),
      seed,
      ticket,
      prize_units: isCard ? 0n : prizeOf(readPrizes(activity.prizes), ticket),
      state: isCard ? "DONE" : "DRAWN",
    });
    this.#needs.changed(row.user_id);
    return true;
  }

  async #pay(row: DrawRow, activity: ActivityRow, timeMs: number): Promise<boolean> {
    const { draw_id: drawId, user_id: userId, prize_units: prizeUnits } = row;
    const restUnits = largestPrize(readPrizes(activity.prizes)) - prizeUnits;
    const end = await this.#needs.payPrize(activity.campaign_id, { drawId, userId, prizeUnits, restUnits });
    if (end !== "done") {
      if (end !== "later") this.#needs.report("spring.not-paid", { draw: drawId, code: end.code });
      return false;
    }
    if (await this.#store.step(drawId, "DRAWN", { state: "DONE" })) {
      const body = `Your movement has won ${usdtText(prizeUnits)} USDT; they are in your spot account.`;
      await this.#needs.notify(
        userId,
        { reference: `spring:${drawId}`, title: "A prize for your movement", body },
        timeMs,
      );
      this.#needs.changed(userId);
    }
    return true;
  }

  #day(activity: ActivityRow, day: number): Promise<DayRow> {
    const seed = this.#needs.randomSeed();
    return this.#store.day({ activity_id: activity.activity_id, day, server_seed: seed, promise: commitTo(seed) });
  }
}

const rewardOf = ({ activity_id }: ActivityRow): string => `spring:${activity_id}`;

function isRunning({ is_open, starts_ms, ends_ms }: ActivityRow, timeMs: number): boolean {
  return is_open && timeMs >= starts_ms && timeMs < ends_ms;
}

function usedToday(draws: readonly DrawRow[], timeMs: number): number {
  return draws.filter(({ what, day }) => what === "card" && day === dayOf(timeMs)).length;
}

function usedSets(draws: readonly DrawRow[]): number {
  return draws.filter(({ what, state }) => what === "movement" && state !== "SHORT").length;
}
