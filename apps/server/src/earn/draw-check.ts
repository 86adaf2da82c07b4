// `clockwork draw`: runs published draws again from public data alone, asked of a running exchange or read from a file.
import { readFileSync } from "node:fs";
import type { LaunchDraw, LaunchProject } from "@clockwork/domains/launchpad/api";
import { LAUNCH_PATHS } from "@clockwork/domains/launchpad/api";
import { checkDraw, checkRecord, countTickets, type JournalledSeed } from "@clockwork/kit/earn/draw";

export interface DrawSource {
  /** A round, or a project: then each of its lotteries that was drawn. */
  readonly name: string;
  /** An address of an exchange, or a file that was downloaded from one. */
  readonly from: string;
}

type Print = (line: string) => void;
const SEEDS = "/v1/system/seeds";

export async function verifyDraw({ name, from }: DrawSource, print: Print): Promise<boolean> {
  if (!from.startsWith("http")) return verify(read(from), print);
  const exchange = from.replace(/\/$/, "");
  const readSeed = (sequence: number) => find<JournalledSeed>(exchange, `${SEEDS}?sequence=${sequence}`);
  let isRight = true;
  let drawn = 0;
  for (const round of await roundsOf(exchange, name)) {
    const draw = await find<LaunchDraw>(exchange, `${LAUNCH_PATHS.draw}?id=${encodeURIComponent(round)}`);
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

/** The lotteries of a project; a name that is none is a round's. */
async function roundsOf(exchange: string, name: string): Promise<readonly string[]> {
  const project = await find<LaunchProject>(exchange, `${LAUNCH_PATHS.project}?id=${encodeURIComponent(name)}`);
  if (project === undefined) return [name];
  const rounds = project.rounds.filter(({ kind }) => kind === "lottery").map(({ roundId }) => roundId);
  if (rounds.length === 0) throw new Error(`${name} has no lottery`);
  return rounds;
}

async function verify(
  draw: LaunchDraw,
  print: Print,
  readSeed?: (sequence: number) => Promise<JournalledSeed | undefined>,
): Promise<boolean> {
  const { serverSeed, root, publicSeed, seed } = draw;
  if (serverSeed === null || root === null || publicSeed === null || seed === null) {
    print(`${draw.roundId} has not been drawn; its promise is ${draw.promise}`);
    return false;
  }
  print(`${draw.roundId}: ${countTickets(draw.ranges)} tickets, ${draw.winners.length} winners`);
  const tell = (check: string, isLineRight: boolean): void =>
    print(`${isLineRight ? "agrees  " : "DIFFERS "} ${check}`);
  const isDrawRight = checkDraw({ ...draw, serverSeed, root, publicSeed, seed }, tell);
  const isOnRecord = readSeed === undefined ? undefined : await checkRecord(draw, readSeed);
  if (isOnRecord === undefined) print("unknown  journal: the record of seeds was not asked or does not go back so far");
  else tell("journal", isOnRecord);
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

function read(file: string): LaunchDraw {
  const found = JSON.parse(readFileSync(file, "utf8")) as LaunchDraw & { readonly data?: LaunchDraw };
  return found.data ?? found;
}
