// Owns `npm run corpus`: makes the corpus of the release that is being made. With `check` it replays what there is instead: a core that
// decides otherwise than a release under the same rules is a failure, whatever the reason.
//   npm run corpus                 writes sim/corpus/<version>, which must not exist
//   npm run corpus -- --again      writes it anew while the release has no commit
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { KNOWN_RULES } from "@clockwork/core/protocol/rules";
import { CORPUS, checkJournal, listMissing, listReleases, readExpected, writeRelease } from "./corpus.ts";
import { JOURNALS } from "./journals.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const { version } = read("package.json") as { version: string };
const { releases } = read("docs/releases.json") as {
  releases: readonly { version: string; commit: string; rules: readonly number[] }[];
};

function check(): readonly string[] {
  const kept = listReleases();
  const problems = releases.flatMap((release) =>
    kept.includes(release.version) ? [] : [`release ${release.version} has no corpus: npm run corpus`],
  );
  for (const release of kept) {
    const { rules, journals } = readExpected(release);
    if (rules < KNOWN_RULES.oldest) continue;
    const accepted = new Set<string>();
    for (const [name, expected] of Object.entries(journals)) {
      const replayed = checkJournal(release, name, expected);
      problems.push(...replayed.problems);
      for (const kind of replayed.accepted) accepted.add(kind);
    }
    if (release !== version) continue;
    problems.push(...listMissing(accepted).map((kind) => `no journal of ${release} carries out ${kind}`));
    if (rules !== KNOWN_RULES.newest)
      problems.push(`the corpus of ${release} is decided by rules ${rules}, not ${KNOWN_RULES.newest}`);
  }
  return problems;
}

function write(again: boolean): readonly string[] {
  const isReleased = releases.some((release) => release.version === version && release.commit !== "unreleased");
  if (existsSync(join(CORPUS, version)) && (isReleased || !again))
    return [`sim/corpus/${version} exists${isReleased ? " and is released" : ": --again writes it anew"}`];
  writeRelease(version, KNOWN_RULES.newest, JOURNALS);
  return check();
}

const args = process.argv.slice(2);
const problems = args[0] === "check" ? check() : write(args.includes("--again"));
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${listReleases().length} releases agree\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
