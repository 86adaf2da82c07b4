// Reads the repository's Markdown and the operator's facts from the content folder. Owns the folder's layout;
// independent of the use of the texts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArticleKind, CoinInfo } from "./contract.ts";
import { readSeed, type Seed } from "./rules.ts";

const FOLDERS: Readonly<Record<string, ArticleKind>> = {
  help: "help",
  announcements: "announcement",
  news: "news",
  legal: "legal",
};

/** Every document below the folder; a broken one stops the start with its name. */
export function readSeeds(folder: string): Seed[] {
  const seeds = Object.entries(FOLDERS).flatMap(([name, kind]) =>
    listMarkdown(join(folder, name)).map((file) =>
      readSeed(kind, file.slice(0, -".md".length), readFileSync(join(folder, name, file), "utf8")),
    ),
  );
  return [...seeds, ...readCourses(join(folder, "college"))];
}

/** A course is a folder; `1-first.md` is its first lesson, named `first`. */
function readCourses(folder: string): Seed[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((course) => {
      const files = listMarkdown(join(folder, course));
      return files.map((file): Seed => {
        const text = readFileSync(join(folder, course, file), "utf8");
        if (file === "course.md") return { ...readSeed("course", course, text), section: "" };
        const [, position = "0", slug = ""] = /^([0-9]+)-(.+)\.md$/.exec(file) ?? [];
        return { ...readSeed("lesson", slug, text), category: course, position: Number(position) };
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

/** The company's facts by name, as text; lists are joined to one sentence. */
export function readFacts(folder: string): Record<string, string> {
  const facts = JSON.parse(readFileSync(join(folder, "company.json"), "utf8")) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      Array.isArray(fact) ? fact.map((entry) => `- ${String(entry)}`).join("\n") : String(fact),
    ]),
  );
}
