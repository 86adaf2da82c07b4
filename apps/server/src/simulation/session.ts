// One seed's run of the whole system: users trade over a faulty network while the disk fails, the database stalls, time
// jumps and power is cut; then everything acknowledged is compared with the final state.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { readSums } from "@clockwork/core/inspect/sums";
import { measureMs } from "@clockwork/host/time/measure";
import { createRandom, type Random } from "@clockwork/kit/random";
import { findDifferences } from "@clockwork/trading/projectors/ledger/audit";
import { recover } from "../engine/recovery/recovery.ts";
import { FACTORY } from "./one-thread-engine.ts";
import { type Look, Trader } from "./trader.ts";
import { JOURNAL_PLACE, World } from "./world.ts";

export interface SystemResult {
  readonly seed: number;
  readonly faults: readonly string[];
  /** What happened, so that a run without a single crash or order is not taken for a proof. */
  readonly counts: Readonly<Record<"commands" | "confirmed" | "crashes" | "diskFaults" | "answer", number>>;
}

const TRADERS = 3;
const STEPS = 20;
const TURNS_MAX = 40;
const SETTLE_TURNS_MAX = 20_000;
/** The database has its own threads, and a busy machine may delay them: only what never comes is a fault. */
const PUBLISHED_MS_MAX = 60_000;

export async function runSystem(seed: number, template?: string): Promise<SystemResult> {
  const random = createRandom(seed);
  const world = new World(random);
  const run = new Run(world, random);
  try {
    await world.start(template);
    await run.begin();
    for (let step = 0; step < STEPS; step++) await run.step();
    await run.settle();
    return run.result(seed);
  } catch (error) {
    // After a refused start or an unanswered call the seed is needed to reproduce it.
    const { faults, counts } = run.result(seed);
    return { seed, faults: [...faults, error instanceof Error ? error.message : String(error)], counts };
  } finally {
    run.leave();
    await world.end();
  }
}

class Run {
  readonly #world: World;
  readonly #random: Random;
  readonly #traders: Trader[] = [];
  readonly #faults: string[] = [];
  #acting: Promise<void>[] = [];
  #counts = { commands: 0, confirmed: 0, crashes: 0, diskFaults: 0, answer: 0 };

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async begin(): Promise<void> {
    for (let index = 1; index <= TRADERS; index++) {
      const trader = new Trader(String(index), this.#world.network, this.#random);
      this.#traders.push(trader);
      await trader.arrive();
      trader.follower.open();
    }
  }

  async step(): Promise<void> {
    for (let count = this.#random.between(1, 5); count > 0; count--) {
      this.#acting.push(this.#random.pick(this.#traders).act());
    }
    for (let turn = this.#random.below(TURNS_MAX); turn > 0; turn--) await nextTurn();
    const roll = this.#random.below(100);
    if (roll < 12) await this.#crash();
    else if (roll < 17) await this.#failDisk();
    else if (roll < 27) this.#world.advance(this.#random.between(1, 90_000));
    else if (roll < 35) await this.#world.engine.takeSnapshot();
    else if (roll < 40) void this.#world.stallDatabase(this.#turns(this.#random.below(200)));
    else if (roll < 70) await this.#rest();
  }

  async #turns(count: number): Promise<void> {
    for (let turn = count; turn > 0; turn--) await nextTurn();
  }

  /** Until every call is answered or has timed out. */
  async #rest(): Promise<void> {
    const acting = this.#acting;
    this.#acting = [];
    await Promise.all(acting);
  }

  async #crash(): Promise<void> {
    this.#counts.crashes += 1;
    const answer = Math.max(...this.#traders.map(({ follower }) => follower.sequence));
    await this.#world.crash();
    await this.#rest();
    for (const { follower } of this.#traders) follower.close();
    await this.#world.start();
    const { durableSequence } = this.#world.engine.health();
    if (durableSequence < answer) this.#faults.push(`told of ${answer}, but the journal ends at ${durableSequence}`);
    for (const { follower } of this.#traders) if (this.#random.chance(2, 3)) follower.open();
  }

  /** A disk failure stops trading; a supervisor starts the machine again. */
  async #failDisk(): Promise<void> {
    this.#counts.diskFaults += 1;
    this.#world.disk.failNext(this.#random.pick(["full", "short", "sync"] as const));
    await this.#random.pick(this.#traders).act();
    await this.#turns(20);
    await this.#crash();
  }

  /** All calls are answered and all events published; then one last crash, and everything is compared. */
  async settle(): Promise<void> {
    await this.#rest();
    for (const trader of this.#traders) {
      trader.follower.close();
      trader.follower.open();
    }
    const { sequence } = await this.#quiet();
    await this.#world.engine.projection.reached(sequence);
    const before = await this.#look();
    await this.#waitPublished(before);
    const state = await this.#world.engine.stateHash();
    this.#counts.commands = state.sequence;
    await this.#world.crash();
    for (const { follower } of this.#traders) follower.close();
    this.#compareReplay(state.sequence, state.stateHash);
    await this.#world.start();
    await this.#compareTables();
    const after = await this.#look();
    if (JSON.stringify(after) !== JSON.stringify(before)) this.#faults.push("a restart changed what people are shown");
    await this.#comparePromises(after);
  }

  /** No command under way. */
  async #quiet(): Promise<{ readonly sequence: number }> {
    for (let turn = 0; turn < SETTLE_TURNS_MAX; turn++) {
      const { sequence, durableSequence } = this.#world.engine.health();
      await this.#turns(10);
      const now = this.#world.engine.health();
      if (now.sequence === sequence && now.durableSequence === durableSequence && sequence === durableSequence)
        return now;
    }
    throw new Error("commands never came to an end");
  }

  /** Nothing changes any more: the published state converges to what the calls return. */
  async #waitPublished(looks: readonly Look[]): Promise<void> {
    const endMs = measureMs() + PUBLISHED_MS_MAX;
    while (measureMs() < endMs && this.#comparePublished(looks).length > 0) {
      // As a careful client does whose line was lost.
      for (const { follower } of this.#traders) follower.open();
      await sleep(1);
    }
    // Every pending message has arrived.
    await this.#turns(400);
    this.#faults.push(...this.#comparePublished(looks));
    this.#counts.answer = this.#traders.filter(({ follower }) => follower.sequence > 0).length;
  }

  async #look(): Promise<readonly Look[]> {
    const looks: Look[] = [];
    for (const trader of this.#traders) looks.push(await trader.look());
    return looks;
  }

  /** Where the published state differs from what the calls return. */
  #comparePublished(looks: readonly Look[]): string[] {
    const faults: string[] = [];
    for (const [index, { follower, name }] of this.#traders.entries()) {
      if (!follower.isAnswered) faults.push(`${name} was told nothing`);
      const look = looks[index];
      const rows = follower.rows("balances");
      for (const { asset, available, frozen } of look?.balances ?? []) {
        const row = rows.get(asset);
        if (row?.available !== available || row?.frozen !== frozen)
          faults.push(
            `${name} was told ${asset} ${String(row?.available)}/${String(row?.frozen)}, has ${available}/${frozen}`,
          );
      }
      const open = [...follower.rows("orders").values()].filter(
        ({ status }) => status === "NEW" || status === "PARTIALLY_FILLED",
      );
      const answer = open.map(({ orderId }) => String(orderId)).sort();
      const shown = (look?.open ?? []).map(({ orderId }) => orderId).sort();
      if (JSON.stringify(answer) !== JSON.stringify(shown))
        faults.push(`${name} was told of open orders ${answer.join()}, has ${shown.join()}`);
    }
    return faults;
  }

  /** From nothing, without any snapshot. */
  #compareReplay(sequence: number, stateHash: string): void {
    const { machine } = recover({
      files: this.#world.disk,
      journalFolder: `${JOURNAL_PLACE}/journal`,
      snapshotFolder: `${JOURNAL_PLACE}/snapshots`,
      factory: FACTORY,
      withoutSnapshots: true,
    });
    if (machine.sequence < sequence) this.#faults.push(`the journal ends at ${machine.sequence}, before ${sequence}`);
    if (machine.stateHash() !== stateHash) this.#faults.push("a replay of the whole journal comes to another state");
    for (const { symbol, users, house, minted } of readSums(machine)) {
      if (users + house !== minted) this.#faults.push(`${symbol}: ${users} + ${house} is not ${minted}`);
    }
  }

  async #compareTables(): Promise<void> {
    await this.#world.engine.projection.reached(this.#world.engine.health().sequence);
    const differences = await findDifferences(this.#world.engine);
    if (differences === undefined || differences.length > 0)
      this.#faults.push(`tables differ from the core: ${JSON.stringify(differences?.slice(0, 3))}`);
    for (const alarm of this.#world.alarms) if (alarm.includes("balances")) this.#faults.push(alarm);
  }

  /** Every confirmed order is one order; a canceled one is not open; an ended session remains ended. */
  async #comparePromises(looks: readonly Look[]): Promise<void> {
    for (const [index, trader] of this.#traders.entries()) {
      const open = new Map(looks[index]?.open.map((order) => [order.orderId, order.clientOrderId]));
      const byClient = new Set<string>();
      for (const clientOrderId of open.values()) {
        if (byClient.has(clientOrderId)) this.#faults.push(`${clientOrderId} is open twice`);
        byClient.add(clientOrderId);
      }
      for (const [clientOrderId, intent] of trader.intents) {
        const [orderId] = intent.orderIds;
        if (orderId === undefined) continue;
        this.#counts.confirmed += 1;
        if (intent.isCanceled && open.has(orderId)) this.#faults.push(`${clientOrderId} was canceled and is open`);
        if (!(await trader.knows(orderId)))
          this.#faults.push(`${clientOrderId} was confirmed as ${orderId} and is unknown`);
      }
      await trader.checkEnded();
    }
  }

  result(seed: number): SystemResult {
    const faults = [
      ...this.#faults,
      ...this.#traders.flatMap((trader) => [...trader.faults, ...trader.follower.faults]),
    ];
    return { seed, faults, counts: this.#counts };
  }

  leave(): void {
    for (const { follower } of this.#traders) follower.close();
  }
}
