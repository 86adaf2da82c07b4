// The launches of the default run, one in each state, marked as simulated: coins are listed and moved into the sale
// accounts, simulated users hold, join, commit and pay, and the draw among them is a real one.
import { RESERVES_ACCOUNT, SIMULATED_USER_MAX } from "@clockwork/core/protocol/names";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import { fundCoin } from "@clockwork/trading/market/genesis";
import { STOCK_SUB } from "../launchpad/book-service.ts";
import type { EntryRow, LaunchStore, ProjectRow, RoundRow } from "../launchpad/store.ts";
import type { EarnBooks } from "./earn-books.ts";
import { firstLaunches, type Launch, nextLaunch, PROJECTS, SCALE, usdt } from "./launch-drafts.ts";

const FIRST_PERSON = SIMULATED_USER_MAX - 400;
export const PEOPLE = 240;

interface Person {
  readonly userId: number;
  readonly heldUsdt: number;
  readonly isAuto: boolean;
}
type Needs = Pick<PartContext, "engine" | "market" | "clock">;

/** Users paid at a time. */
const CHUNK = 60;

/**
 * A launch appears whole, with all its participants, or not at all; a missing one is created. No table is read per
 * participant: a young exchange is busy, and every such read would queue.
 */
export async function launchDefaults(context: Needs, books: EarnBooks, store: LaunchStore): Promise<void> {
  const { engine, market, clock } = context;
  const now = clock.now();
  const projects = await store.listProjects();
  const known = new Set(projects.map(({ project_id }) => project_id));
  const isYoung = !PROJECTS.every((name) => known.has(name));
  // As time passes, the upcoming one is announced anew.
  const next = isYoung || (await store.isAhead(now)) ? [] : [nextLaunch(now, projects)];
  const launches = (isYoung ? firstLaunches(now) : next).filter(({ project }) => !known.has(project.project_id));
  if (launches.length === 0) return;
  const symbols = new Set(launches.map(({ project }) => project.asset).filter((symbol) => symbol !== "DRIFT"));
  for (const symbol of symbols) {
    if (market.pairs.findAsset(symbol) === undefined) await engine.submit({ kind: "listAsset", scale: SCALE, symbol });
  }
  await market.data.refresh();
  for (const symbol of symbols) {
    const asset = market.pairs.findAsset(symbol)?.asset;
    if (asset !== undefined) await fundCoin(engine, asset, symbol);
  }
  const people = Array.from({ length: PEOPLE }, (_, index) => personOf(index));
  await fund(context, books, people, launches.at(-1)?.project.project_id ?? "");
  for (const launch of launches) {
    for (const round of launch.rounds) await stock(context, books, launch.project, round);
    await add(store, launch, people, now);
  }
}

export const personOf = (index: number): Person => ({
  userId: FIRST_PERSON + index,
  heldUsdt: 2_000 + ((index * 7_919) % 38_000),
  isAuto: index % 3 !== 0,
});

/** A final refusal is an answer; unavailability is retried in the next round. */
function isAnswered(ack: { readonly done: boolean; readonly code?: string }): void {
  if (!ack.done && ack.code?.startsWith("ENGINE_") === true) throw new Error(`launches wait: ${ack.code}`);
}

/** Out of the coin's reserves, through the book that stocks every launch. */
async function stock({ engine, market }: Needs, books: EarnBooks, project: ProjectRow, round: RoundRow): Promise<void> {
  const asset = market.pairs.findAsset(project.asset)?.asset;
  if (asset === undefined) return;
  const [account, to] = [await books.house("sale", STOCK_SUB), await books.house("sale", round.sub)];
  if (account === undefined || to === undefined) throw new Error("launches wait: no account for the stock");
  const units = Number.parseInt(round.stock_units.toString(), 10);
  const reference = `launch:in:${round.round_id}`;
  const out = { account: RESERVES_ACCOUNT, to: account, asset, units, reference };
  isAnswered(await engine.submit({ kind: "transfer", ...out }));
  isAnswered(await engine.submit({ kind: "transfer", account, to, asset, units, reference: `${reference}:s` }));
}

async function fund(
  { engine, market }: Needs,
  books: EarnBooks,
  people: readonly Person[],
  launch: string,
): Promise<void> {
  const asset = market.pairs.findAsset("USDT")?.asset ?? 0;
  const pay = async ({ userId, heldUsdt }: Person): Promise<void> => {
    const to = await books.user(userId, "spot");
    if (to === undefined) throw new Error("launches wait: no account for a person");
    const units = Number.parseInt(usdt(heldUsdt).toString(), 10);
    const reference = `launch:sim:${userId}:${launch}`;
    isAnswered(await engine.submit({ kind: "transfer", account: RESERVES_ACCOUNT, to, asset, units, reference }));
  };
  for (let at = 0; at < people.length; at += CHUNK) await Promise.all(people.slice(at, at + CHUNK).map(pay));
}

async function add(store: LaunchStore, launch: Launch, people: readonly Person[], now: number): Promise<void> {
  const { project, rounds } = launch;
  const [first, ...others] = rounds;
  if (first?.kind !== "lottery" || first.preheat_ms > now) {
    await store.add(project, rounds);
    return;
  }
  const today = Math.floor(now / DAY_MS);
  const days = Array.from({ length: first.snapshot_days }, (_, back) => Math.floor(first.opens_ms / DAY_MS) - back);
  await store.addSnapshots(
    days
      .filter((day) => day <= today)
      .flatMap((day) =>
        people.map(({ userId, heldUsdt }) => ({
          project_id: project.project_id,
          user_id: userId,
          day,
          units: usdt(heldUsdt),
        })),
      ),
  );
  const isJoined = first.closes_ms <= now && first.stage === "OPEN";
  const isPaid = project.project_id === "lumen-light";
  const entries = isJoined ? entriesOf(first, isPaid ? people.map((one) => ({ ...one, isAuto: true })) : people) : [];
  const tickets = entries.reduce((sum, entry) => sum + entry.tickets, 0);
  await store.add(project, [{ ...first, tickets }, ...others], entries);
}

function entriesOf(round: RoundRow, people: readonly Person[]): EntryRow[] {
  let next = 1;
  return people.map(({ userId, heldUsdt, isAuto }, index) => {
    const tickets = Math.min(round.tickets_max, Math.floor(heldUsdt / 1_000));
    const first_ticket = next;
    next += tickets;
    return {
      round_id: round.round_id,
      user_id: userId,
      number: index + 1,
      tickets,
      first_ticket,
      commit_units: 0n,
      is_auto: isAuto,
    };
  });
}
