// Connects written pages and the college with the database and the content folder. Contains no rules.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { PartWith } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { collegeRoutes } from "../college/routes.ts";
import { CollegeService } from "../college/service.ts";
import { collegeStore } from "../college/store.ts";
import { articleConsoleRoutes } from "./console-routes.ts";
import { ArticleConsole } from "./console-service.ts";
import { marginFacts } from "./margin-facts.ts";
import { parseMarkdown } from "./markdown-rules.ts";
import { articleRoutes, coinRoutes } from "./routes.ts";
import { modeFactsOf } from "./rules.ts";
import { readCoins, readFacts, readSeeds } from "./seed-files.ts";
import { ArticleService } from "./service.ts";
import { articleStore } from "./store.ts";

export interface Articles extends PartWith<"routes"> {
  readonly articles: ArticleService;
  readonly console: ArticleConsole;
  readonly college: CollegeService;
  /** The company's facts by name. */
  readonly facts: Readonly<Record<string, string>>;
  /** Imports the repository's texts into the database; returns how many were new or changed. */
  importSeeds(timeMs: number): Promise<number>;
}

// A quiz takes longer than reading its text.
const QUIZ_MINUTES = 2;

export function articlesPart({
  config,
  database,
  rootFolder,
  clock,
  audit,
  isTestMoney,
  marketMode,
}: Pick<
  PartContext,
  "config" | "database" | "rootFolder" | "clock" | "audit" | "isTestMoney" | "marketMode"
>): Articles {
  const folder = join(rootFolder, "content");
  const holds = modeFactsOf(isTestMoney, marketMode === "simulated");
  const store = articleStore(database.kysely);
  const facts = { ...readFacts(folder, config.companyFile), ...marginFacts() };
  const articles = new ArticleService({
    store,
    facts,
    hash: (text) => createHash("sha256").update(text).digest("hex"),
  });
  const college = new CollegeService({
    store: collegeStore(database.kysely),
    needs: {
      listCourses: (timeMs) => articles.listTexts("course", timeMs),
      listLessons: async (timeMs) =>
        (await articles.listTexts("lesson", timeMs)).map((lesson) => ({
          ...lesson,
          minutes: lesson.minutes + QUIZ_MINUTES,
        })),
      parse: parseMarkdown,
    },
  });
  const console = new ArticleConsole({ store, facts });
  const importSeeds = (timeMs: number): Promise<number> => articles.importSeeds(readSeeds(folder, holds), timeMs);
  return {
    articles,
    console,
    college,
    facts,
    routes: [
      ...articleRoutes(articles),
      ...coinRoutes(readCoins(folder)),
      ...articleConsoleRoutes(console, audit),
      ...collegeRoutes(college),
    ],
    importSeeds,
    async start() {
      await importSeeds(clock.now());
    },
  };
}
