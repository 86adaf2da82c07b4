// `clockwork draw`: repeats published draws from public data alone, read from a running exchange or a file.
import { readFileSync } from "node:fs";
import type { LaunchDraw, LaunchProject } from "@clockwork/earning/launchpad/contract";
import { LAUNCH_CALLS } from "@clockwork/earning/launchpad/contract";
import { checkDraw, checkRecord, countTickets, type JournalledSeed } from "@clockwork/kit/earn/draw";
import type { SpringDraw } from "./contract.ts";

export interface DrawSource {
  /** A round, or a project: then each of its lotteries that was drawn. Nothing is fetched when a file is given. */
  readonly name: string;
  /** An address of an exchange, or a file that was downloaded from one. */
  readonly from: string;
}

type Print = (line: string) => void;
/** A round of a launch, or a user's card or prize. */
type Drawn = LaunchDraw | SpringDraw;
const SEEDS = "/v1/system/seeds";

export async function verifyDraw({ name, from }: DrawSource, print: Print): Promise<boolean> {
  if (!from.startsWith("http")) return verifyAll(read(from), print);
  const exchange = from.replace(/\/$/, "");
  const readSeed = (sequence: number) => find<JournalledSeed>(exchange, `${SEEDS}?sequence=${sequence}`);
  let isRight = true;
  let drawn = 0;
  for (const round of await roundsOf(exchange, name)) {
    const draw = await find<LaunchDraw>(exchange, `${LAUNCH_CALLS.draw.path}?id=${encodeURIComponent(round)}`);
    if (draw === undefined) throw new Error(`${from} has no draw ${round}`);
    if (draw.seed === null) {
      print(`${draw.roundId} has not been drawn; its promise is ${draw.promise}`);
      continue;
    }
    drawn += 1;
    if (!(await verify(draw, print, readSeed))) isRight = false;
  }
  return drawn > 0 && isRight;
}

/** A user's own draws, or one of a launch; those whose seed is secret until tomorrow are reported and wait. */
async function verifyAll(draws: readonly Drawn[], print: Print): Promise<boolean> {
  const known = draws.filter(({ serverSeed }) => serverSeed !== null);
  let isRight = known.length > 0;
  for (const draw of draws) if (!(await verify(draw, print)) && known.includes(draw)) isRight = false;
  return isRight;
}

/** The lotteries of a project; an unknown name is a round's. */
async function roundsOf(exchange: string, name: string): Promise<readonly string[]> {
  const project = await find<LaunchProject>(exchange, `${LAUNCH_CALLS.project.path}?id=${encodeURIComponent(name)}`);
  if (project === undefined) return [name];
  const rounds = project.rounds.filter(({ kind }) => kind === "lottery").map(({ roundId }) => roundId);
  if (rounds.length === 0) throw new Error(`${name} has no lottery`);
  return rounds;
}

async function verify(
  draw: Drawn,
  print: Print,
  readSeed?: (sequence: number) => Promise<JournalledSeed | undefined>,
): Promise<boolean> {
  const { serverSeed, root, publicSeed, seed } = draw;
  const name = "roundId" in draw ? draw.roundId : draw.drawId;
  if (serverSeed === null || root === null || publicSeed === null || seed === null) {
    print(`${name} has not been drawn, or its seed is still kept; its promise is ${draw.promise}`);
    return false;
  }
  print(`${name}: ${countTickets(draw.ranges)} tickets, ${draw.winners.length} winners`);
  const notify = (check: string, isLineRight: boolean): void =>
    print(`${isLineRight ? "agrees  " : "DIFFERS "} ${check}`);
  const isDrawRight = checkDraw({ ...draw, serverSeed, root, publicSeed, seed }, notify);
  const isOnRecord = readSeed === undefined ? undefined : await checkRecord(draw, readSeed);
  if (isOnRecord === undefined) print("unknown  journal: the record of seeds was not asked or does not go back so far");
  else notify("journal", isOnRecord);
  const isRight = isDrawRight && isOnRecord !== false;
  print(isRight ? "the draw is as it was published" : "the draw is NOT as it was published");
  return isRight;
}

/** Undefined where the exchange has none. */
async function find<Data>(exchange: string, path: string): Promise<Data | undefined> {
  const response = await fetch(`${exchange}/api${path}`);
  const body = (await response.json()) as { readonly data: Data | null; readonly message: string };
  if (response.status === 404) return undefined;
  if (!response.ok || body.data === null) throw new Error(`${exchange} does not answer ${path}: ${body.message}`);
  return body.data;
}

type Saved = Drawn | { readonly draws: readonly SpringDraw[] };

function read(file: string): readonly Drawn[] {
  const found = JSON.parse(readFileSync(file, "utf8")) as Saved & { readonly data?: Saved };
  const saved = found.data ?? found;
  return "draws" in saved ? saved.draws : [saved];
}
