// Connects written pages and the college with the database and the content folder. Holds no rule of its own.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { articleDeskRoutes } from "@clockwork/domains/articles/desk-routes";
import { type ArticleDesk, articleDesk } from "@clockwork/domains/articles/desk-service";
import { parseMarkdown } from "@clockwork/domains/articles/markdown-rules";
import { articleRoutes } from "@clockwork/domains/articles/routes";
import { type ArticleService, articleService } from "@clockwork/domains/articles/service";
import { articleStore } from "@clockwork/domains/articles/store";
import { collegeRoutes } from "@clockwork/domains/college/routes";
import { type CollegeService, collegeService } from "@clockwork/domains/college/service";
import { collegeStore } from "@clockwork/domains/college/store";
import type { Desk } from "@clockwork/kit/desk";
import type { RouteSpec } from "@clockwork/kit/route";
import type { Kysely } from "kysely";
import { readFacts, readSeeds } from "./seed-files.ts";

export interface Articles {
  readonly routes: readonly RouteSpec[];
  readonly articles: ArticleService;
  readonly desk: ArticleDesk;
  readonly college: CollegeService;
  /** The company's facts by name. */
  readonly facts: Readonly<Record<string, string>>;
  /** Brings the repository's texts into the database; says how many were new or changed. */
  importSeeds(timeMs: number): Promise<number>;
}

// A quiz takes longer than its words.
const QUIZ_MINUTES = 2;

export interface ArticlesParts {
  readonly kysely: Kysely<unknown>;
  readonly root: string;
  /** The operators' door to editing. */
  readonly desk: Desk;
}

export function composeArticles(parts: ArticlesParts): Articles {
  const folder = join(parts.root, "content");
  const store = articleStore(parts.kysely);
  const facts = readFacts(folder);
  const articles = articleService({
    store,
    facts,
    hash: (text) => createHash("sha256").update(text).digest("hex"),
  });
  const college = collegeService({
    store: collegeStore(parts.kysely),
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
  const desk = articleDesk({ store, facts });
  return {
    articles,
    desk,
    college,
    facts,
    routes: [...articleRoutes(articles), ...articleDeskRoutes(desk, parts.desk), ...collegeRoutes(college)],
    importSeeds: (timeMs) => articles.importSeeds(readSeeds(folder), timeMs),
  };
}
