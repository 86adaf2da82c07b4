// The path of an order as docs/order-path.md describes it, compared with a recorded order.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT_FOLDER } from "../root-folder.ts";
import type { Passed } from "./order-path-fixture.ts";

interface Hop {
  readonly number: number;
  readonly file: string;
  readonly name: string;
  readonly thread: string;
}

interface Section {
  readonly title: string;
  /** The hop it follows, where that is not the one before its first. */
  readonly after: number | undefined;
  readonly hops: readonly Hop[];
}

const SECTIONS: readonly Section[] = readFileSync(join(ROOT_FOLDER, "docs/order-path.md"), "utf8")
  .split(/^## /m)
  .slice(1)
  .map((text) => {
    const title = text.slice(0, text.indexOf("\n"));
    const after = /from hop (\d+) on/.exec(title)?.[1];
    const rows = text.matchAll(/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \| (?!browser)([\w-]+) \|/gm);
    return {
      title,
      after: after === undefined ? undefined : Number(after),
      hops: [...rows].map(([, number = "", file = "", name = "", thread = ""]) => ({
        number: Number(number),
        file,
        name,
        thread,
      })),
    };
  })
  .filter(({ hops }) => hops.length > 0);

/** What only a page passes: the HTTP library and the session. */
const OF_PAGES = ["onRequest", "identify", "readBody", "handler", "sendAnswer"];
const isOfPrograms = ({ title }: Section): boolean => title.includes("program");
const OF_A_PAGE = SECTIONS.filter((section) => !isOfPrograms(section));
const OF_A_PROGRAM = [
  ...SECTIONS.filter((section) => isOfPrograms(section) && section.after === undefined),
  ...OF_A_PAGE.map(({ hops, ...more }) => ({ ...more, hops: hops.filter(({ name }) => !OF_PAGES.includes(name)) })),
  ...SECTIONS.filter((section) => isOfPrograms(section) && section.after !== undefined),
];

const HOPS = SECTIONS.flatMap(({ hops }) => hops);
const placeOf = ({ file, name }: Hop): string => `${file} ${name}`;
const PLACES = [...new Set(HOPS.map(placeOf))];

/** The hops that were not passed on their thread after the hop before them. */
function findMissed(sections: readonly Section[], passed: readonly Passed[]): readonly Hop[] {
  const times = new Map<number, number>();
  const missed: Hop[] = [];
  let before = 0;
  for (const { after, hops } of sections) {
    if (after !== undefined) before = times.get(after) ?? Number.POSITIVE_INFINITY;
    for (const hop of hops) {
      const place = PLACES.indexOf(placeOf(hop));
      const found = passed.find((one) => one.hop === place && one.thread === hop.thread && one.atNs >= before);
      if (found === undefined) missed.push(hop);
      else {
        before = found.atNs;
        times.set(hop.number, before);
      }
    }
  }
  return missed;
}

test("[OPS-3] an order of a page and one of a program pass the hops of the document, on their threads and in their order", () => {
  const program = join(import.meta.dirname, "order-path-fixture.ts");
  const places = JSON.stringify(PLACES.map((place) => place.split(" ")));
  const { stdout, stderr } = spawnSync(process.execPath, ["--conditions=development", program, places], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  expect(stderr).toBe("");
  const recorded = JSON.parse(stdout) as { readonly page: readonly Passed[]; readonly program: readonly Passed[] };
  expect(HOPS.length).toBeGreaterThan(40);
  expect(findMissed(OF_A_PAGE, recorded.page)).toEqual([]);
  expect(findMissed(OF_A_PROGRAM, recorded.program)).toEqual([]);
});
