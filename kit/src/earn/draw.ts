// Owns the draw of a lottery, the same in the server, in the visitor's worker and in `clockwork draw`: the root of the
// tickets, the seed of the shuffle and the shuffle itself. Everything follows from public data alone.
//   leaf   SHA-256(number as u32 ‖ holder, 16 bytes)   20 bytes: no node has this length. Numbers from 1, range by range
//   node   SHA-256(up to 16 children)                  levels until one is left
//   public SHA-256(closing sequence ‖ number, first and last sequence of the journalled seed, each a u64 ‖ that seed)
//   seed   SHA-256(server seed ‖ root ‖ public seed)
//   draw   Fisher–Yates from the front; each place by the next u32 of HMAC-SHA256(seed, block as u64), those that would
//          favour low places thrown away
import { assert } from "../assert.ts";
import { fromHex, toHex } from "../bytes.ts";
import { fromWords, HmacSha256, hashWords, sha256 } from "./sha256.ts";

/** Tickets of one holder, numbered consecutively. The holder is 32 hexadecimal digits and identifies no user. */
export interface TicketRange {
  readonly holder: string;
  readonly count: number;
}

const HASH_WORDS = 8;
const LEAF_WORDS = 5;
const CHILDREN = 16;
const HOLDER = /^[0-9a-f]{32}$/;
export const TICKETS_MAX = 10_000_000;

export function countTickets(ranges: readonly TicketRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** The promise: published before the first ticket. */
export function commitTo(serverSeed: string): string {
  return toHex(sha256(fromHex(serverSeed)));
}

export function ticketRoot(ranges: readonly TicketRange[]): string {
  const tickets = countTickets(ranges);
  assert(tickets <= TICKETS_MAX, "DRAW-1", "too many tickets");
  if (tickets === 0) return toHex(sha256());
  let level = new Int32Array(tickets * HASH_WORDS);
  const leaf = new Int32Array(LEAF_WORDS);
  let number = 0;
  for (const { holder, count } of ranges) {
    assert(HOLDER.test(holder), "DRAW-2", "a holder has 32 digits");
    for (let i = 1; i < LEAF_WORDS; i++) leaf[i] = Number.parseInt(holder.slice(8 * i - 8, 8 * i), 16);
    for (let i = 0; i < count; i++) {
      number += 1;
      leaf[0] = number;
      hashWords(leaf, 0, LEAF_WORDS, level, (number - 1) * HASH_WORDS);
    }
  }
  while (level.length > HASH_WORDS) level = foldLevel(level);
  return toHex(fromWords(level));
}

function foldLevel(level: Int32Array): Int32Array<ArrayBuffer> {
  const width = CHILDREN * HASH_WORDS;
  const above = new Int32Array(Math.ceil(level.length / width) * HASH_WORDS);
  for (let at = 0, node = 0; at < level.length; at += width, node += HASH_WORDS) {
    hashWords(level, at, Math.min(width, level.length - at), above, node);
  }
  return above;
}

/** A seed of the journal: the how-manieth it was, and from which command to before which it was in force. */
export interface JournalledSeed {
  readonly number: number;
  readonly sinceSequence: number;
  readonly untilSequence: number;
  readonly seed: string;
}

/** A round's own seed and promise: revealing one round's reveals nothing of the next. */
export function roundSeed(projectSeed: string, roundId: string): string {
  // Names of rounds are lower-case letters, digits and dashes.
  return toHex(
    sha256(
      fromHex(projectSeed),
      Uint8Array.from(roundId, (letter) => letter.charCodeAt(0)),
    ),
  );
}

/** The public seed from the journal, bound to its position there. */
export function publicSeedOf(closeSequence: number, journal: JournalledSeed): string {
  const places = new DataView(new ArrayBuffer(32));
  const numbers = [closeSequence, journal.number, journal.sinceSequence, journal.untilSequence];
  for (const [index, one] of numbers.entries()) places.setBigUint64(8 * index, BigInt(one));
  return toHex(sha256(new Uint8Array(places.buffer), fromHex(journal.seed)));
}

export function drawSeed(serverSeed: string, root: string, publicSeed: string): string {
  return toHex(sha256(fromHex(serverSeed), fromHex(root), fromHex(publicSeed)));
}

/** All ticket numbers in drawing order: the first are the winners, the others wait in this order. */
export function shuffleTickets(seed: string, tickets: number): Uint32Array {
  const order = new Uint32Array(tickets);
  for (let i = 0; i < tickets; i++) order[i] = i + 1;
  const next = drawWords(fromHex(seed));
  for (let place = 0; place < tickets - 1; place++) {
    const left = tickets - place;
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % left);
    let word = next();
    while (word >= limit) word = next();
    const from = place + (word % left);
    const drawn = order[from] as number;
    order[from] = order[place] as number;
    order[place] = drawn;
  }
  return order;
}

function drawWords(seed: Uint8Array): () => number {
  const hmac = new HmacSha256(seed);
  const counter = new Int32Array(2);
  const block = new Int32Array(HASH_WORDS);
  let at = HASH_WORDS;
  return () => {
    if (at === HASH_WORDS) {
      hmac.sign(counter, block);
      counter[1] = (counter[1] as number) + 1;
      at = 0;
    }
    const word = block[at] as number;
    at += 1;
    return word >>> 0;
  };
}

/** The published data of a draw. */
export interface PublishedDraw {
  readonly promise: string;
  readonly serverSeed: string;
  readonly root: string;
  readonly publicSeed: string;
  /** The command after which tickets were fixed, and the seed journalled then; null where it was not stored. */
  readonly closeSequence: number;
  readonly journal: JournalledSeed | null;
  readonly seed: string;
  readonly winnersMax: number;
  readonly ranges: readonly TicketRange[];
  /** Numbers in drawing order. */
  readonly winners: readonly number[];
}

export const DRAW_CHECKS = ["promise", "root", "publicSeed", "seed", "winners"] as const;
export type DrawCheck = (typeof DRAW_CHECKS)[number];

/** Repeats a published draw; reports each check as it is done, and which do not agree. */
export function checkDraw(draw: PublishedDraw, onCheck: (check: DrawCheck, isRight: boolean) => void): boolean {
  let isRight = true;
  const notify = (check: DrawCheck, agrees: boolean): void => {
    isRight &&= agrees;
    onCheck(check, agrees);
  };
  notify("promise", commitTo(draw.serverSeed) === draw.promise);
  const root = ticketRoot(draw.ranges);
  notify("root", root === draw.root);
  notify("publicSeed", isMadeOf(draw));
  const seed = drawSeed(draw.serverSeed, root, draw.publicSeed);
  notify("seed", seed === draw.seed);
  const order = shuffleTickets(seed, countTickets(draw.ranges));
  const winners = order.subarray(0, draw.winnersMax);
  notify(
    "winners",
    winners.length === draw.winners.length && draw.winners.every((one, place) => one === winners[place]),
  );
  return isRight;
}

/** The public seed follows from a seed that was set after the tickets were bound. */
function isMadeOf({ closeSequence, journal, publicSeed }: PublishedDraw): boolean {
  if (journal === null || journal.sinceSequence <= closeSequence) return false;
  return journal.untilSequence > journal.sinceSequence && publicSeedOf(closeSequence, journal) === publicSeed;
}

/** Reads the exchange's record of seeds: the one in force at a command, undefined when it is no longer stored. */
export type ReadSeed = (sequence: number) => Promise<JournalledSeed | undefined>;

/**
 * Whether the public record of seeds has the draw's: the same one, and the first that was set after the tickets were
 * fixed. Undefined where the record does not go back so far.
 */
export async function checkRecord(
  { closeSequence, journal }: Pick<PublishedDraw, "closeSequence" | "journal">,
  readSeed: ReadSeed,
): Promise<boolean | undefined> {
  if (journal === null) return undefined;
  const [own, before] = [await readSeed(journal.sinceSequence), await readSeed(closeSequence)];
  if (own === undefined) return undefined;
  const isSame =
    own.number === journal.number &&
    own.sinceSequence === journal.sinceSequence &&
    own.untilSequence === journal.untilSequence &&
    own.seed === journal.seed;
  return isSame && (before === undefined || before.number === journal.number - 1);
}
