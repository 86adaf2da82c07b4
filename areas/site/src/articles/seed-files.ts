// Reads the repository's Markdown and the operator's facts from the content folder. Owns the folder's layout;
// independent of the use of the texts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArticleKind, CoinInfo } from "./contract.ts";
import { findSimulationWords, type ModeFact, readSeed, type Seed } from "./rules.ts";

const FOLDERS: Readonly<Record<string, ArticleKind>> = {
  help: "help",
  announcements: "announcement",
  news: "news",
  legal: "legal",
};

/** Every document below the folder; a broken one stops the start with its name. */
export function readSeeds(folder: string, holds: ReadonlySet<ModeFact>): Seed[] {
  const seeds = Object.entries(FOLDERS).flatMap(([name, kind]) =>
    listMarkdown(join(folder, name)).map((file) =>
      readSeed(kind, file.slice(0, -".md".length), readFileSync(join(folder, name, file), "utf8"), holds),
    ),
  );
  return [...seeds, ...readCourses(join(folder, "college"), holds)];
}

/** A course is a folder; `1-first.md` is its first lesson, named `first`. */
function readCourses(folder: string, holds: ReadonlySet<ModeFact>): Seed[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((course) => {
      const files = listMarkdown(join(folder, course));
      return files.map((file): Seed => {
        const text = readFileSync(join(folder, course, file), "utf8");
        if (file === "course.md") return { ...readSeed("course", course, text, holds), section: "" };
        const [, position = "0", slug = ""] = /^([0-9]+)-(.+)\.md$/.exec(file) ?? [];
        return { ...readSeed("lesson", slug, text, holds), category: course, position: Number(position) };
      });
    });
}

function listMarkdown(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".md"))
        .sort()
    : [];
}

/** The facts about coins. */
export function readCoins(folder: string): readonly CoinInfo[] {
  return JSON.parse(readFileSync(join(folder, "coins.json"), "utf8")) as readonly CoinInfo[];
}

/** The company's facts by name, as text; lists are joined to one sentence. The sample's stand in where no file is named. */
export function readFacts(folder: string, companyFile: string): Record<string, string> {
  const sample = JSON.parse(readFileSync(join(folder, "company.json"), "utf8")) as Record<string, unknown>;
  const facts = companyFile === "" ? sample : readCompany(companyFile, Object.keys(sample));
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      Array.isArray(fact) ? fact.map((entry) => `- ${String(entry)}`).join("\n") : String(fact),
    ]),
  );
}

/** Every fact that documents name, or a reason that names what is missing. */
function readCompany(file: string, names: readonly string[]): Record<string, unknown> {
  let facts: unknown;
  try {
    facts = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  if (typeof facts !== "object" || facts === null || Array.isArray(facts))
    throw new Error(`${file} is not a JSON object`);
  const given = { isSample: false, ...facts };
  const missing = names.filter((name) => !(name in given));
  if (missing.length > 0) throw new Error(`${file} has no ${missing.join(", ")}`);
  return given;
}

/** Texts of the folder that would speak of simulation on an exchange without any, each with the words. */
export function findSimulationTexts(folder: string, holds: ReadonlySet<ModeFact>): readonly string[] {
  return readSeeds(folder, holds).flatMap((seed) => {
    if (seed.isWithdrawn === true) return [];
    const found = findSimulationWords([seed.title, seed.summary, seed.words, seed.body].join("\n"));
    return found === undefined ? [] : [`${seed.kind}/${seed.slug} ("${found}")`];
  });
}
