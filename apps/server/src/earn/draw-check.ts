// `clockwork draw`: runs a published draw again from public data alone, asked of a running exchange or read from a file.
import { readFileSync } from "node:fs";
import type { LaunchDraw } from "@clockwork/domains/launchpad/api";
import { LAUNCH_PATHS } from "@clockwork/domains/launchpad/api";
import { checkDraw, countTickets } from "@clockwork/kit/earn/draw";

export interface DrawSource {
  /** The round: a project's first where only the project is named. */
  readonly name: string;
  /** An address of an exchange, or a file that was downloaded from one. */
  readonly from: string;
}

export async function verifyDraw({ name, from }: DrawSource, print: (line: string) => void): Promise<boolean> {
  const round = /-\d+$/.test(name) ? name : `${name}-1`;
  const draw = from.startsWith("http") ? await ask(from, round) : read(from);
  const { serverSeed, root, publicSeed, seed } = draw;
  if (serverSeed === null || root === null || publicSeed === null || seed === null) {
    print(`${draw.roundId} has not been drawn; its promise is ${draw.promise}`);
    return false;
  }
  print(`${draw.roundId}: ${countTickets(draw.ranges)} tickets, ${draw.winners.length} winners`);
  const isRight = checkDraw({ ...draw, serverSeed, root, publicSeed, seed }, (check, isLineRight) =>
    print(`${isLineRight ? "agrees  " : "DIFFERS "} ${check}`),
  );
  print(isRight ? "the draw is as it was published" : "the draw is NOT as it was published");
  return isRight;
}

async function ask(from: string, round: string): Promise<LaunchDraw> {
  const response = await fetch(`${from.replace(/\/$/, "")}/api${LAUNCH_PATHS.draw}?id=${encodeURIComponent(round)}`);
  const body = (await response.json()) as { readonly data: LaunchDraw | null; readonly message: string };
  if (!response.ok || body.data === null) throw new Error(`${from} has no draw ${round}: ${body.message}`);
  return body.data;
}

function read(file: string): LaunchDraw {
  const found = JSON.parse(readFileSync(file, "utf8")) as LaunchDraw & { readonly data?: LaunchDraw };
  return found.data ?? found;
}
