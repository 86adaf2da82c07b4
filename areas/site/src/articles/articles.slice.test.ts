// Written pages and the college over a listening server, on both databases, with the repository's own texts.

import { readConfig } from "@clockwork/host/settings/config";
import { clockOf } from "@clockwork/server/clock/clock-fixture";
import { type ServedApp, serveApp } from "@clockwork/server/http/app-fixture";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Articles, articlesPart } from "./part.ts";

const AT_MS = Date.UTC(2026, 10, 15, 12);
const BY_OPERATOR = { by: "operator", timeMs: AT_MS };

forEachMigrated("articles over HTTP", (place) => {
  let served: ServedApp;
  let articles: Articles;
  let nowMs = AT_MS;

  beforeAll(async () => {
    await migrate(place.database(), collectMigrations(ROOT_FOLDER));
    articles = articlesPart({
      config: readConfig({}).config,
      isTestMoney: true,
      marketMode: "simulated",
      database: place.database(),
      rootFolder: ROOT_FOLDER,
      clock: clockOf(() => nowMs),
      audit: { record: async () => undefined },
    });
    await articles.importSeeds(AT_MS);
    served = await serveApp({ routes: articles.routes, clock: () => nowMs });
  });
  afterAll(async () => {
    await served?.close();
  });

  const get = async (path: string) => {
    const response = await fetch(`${served.url}/api${path}`);
    const body = (await response.json()) as { code: unknown; data: Record<string, never> };
    return { status: response.status, code: body.code, data: body.data as Record<string, unknown> };
  };
  const slugs = (data: Record<string, unknown>) => (data.articles as { slug: string }[]).map(({ slug }) => slug);

  test("[USR-7] the texts of the repository are imported once", async () => {
    expect(await articles.importSeeds(AT_MS)).toBe(0);
  });

  test("[USR-7] the help centre has at least thirty articles, each of them readable", async () => {
    const { data } = await get("/v1/help/centre");
    const categories = data.categories as { sections: { articles: { slug: string }[] }[] }[];
    const all = categories.flatMap(({ sections }) => sections.flatMap((section) => section.articles));
    expect(all.length).toBeGreaterThanOrEqual(30);
    for (const { slug } of all) {
      const { status, data: article } = await get(`/v1/help/article?slug=${slug}`);
      expect([slug, status]).toEqual([slug, 200]);
      expect((article.body as unknown[]).length).toBeGreaterThan(0);
    }
  });

  test("[USR-7] announcements are listed newest first, by category, page after page", async () => {
    const { data: first } = await get("/v1/announcements/list?limit=4");
    expect(slugs(first)[0]).toBe("welcome");
    const { data: second } = await get(`/v1/announcements/list?limit=4&before=${first.next}`);
    expect(slugs(second)).toHaveLength(4);
    expect(slugs(second).some((slug) => slugs(first).includes(slug))).toBe(false);
    const { data: security } = await get("/v1/announcements/list?category=security");
    expect(slugs(security)).toEqual(["passkeys", "security-locks"]);
    expect(slugs((await get("/v1/announcements/hot")).data)).toContain("passkeys");
    expect(slugs((await get("/v1/announcements/operation")).data)).toEqual(["welcome"]);
  });

  test("[USR-7] a scheduled announcement is not visible before its time", async () => {
    nowMs = Date.UTC(2026, 10, 14);
    expect((await get("/v1/announcements/one?slug=welcome")).status).toBe(404);
    nowMs = AT_MS;
    expect((await get("/v1/announcements/one?slug=welcome")).status).toBe(200);
  });

  test("[USR-7] search matches every word, by prefix, in titles first", async () => {
    expect(slugs((await get("/v1/articles/search?q=trailing")).data)[0]).toBe("trailing-stop");
    expect(slugs((await get("/v1/articles/search?q=trail%20callb&kind=help")).data)).toContain("trailing-stop");
    expect(slugs((await get("/v1/articles/search?q=trailing%20xyzzy")).data)).toEqual([]);
    expect(slugs((await get("/v1/articles/search?q=%25")).data)).toEqual([]);
  });

  test("[PAGE-1] legal documents contain the operator's facts and none is missing", async () => {
    const { data } = await get("/v1/legal/list");
    expect(slugs(data)).toContain("risk-disclosure");
    for (const slug of slugs(data)) {
      const { data: document } = await get(`/v1/legal/one?slug=${slug}`);
      expect(JSON.stringify(document)).not.toContain("{{");
    }
  });

  test("[PAGE-1] a legal document lists its versions and the sections each changed", async () => {
    const path = "/v1/legal/changes?slug=risk-disclosure";
    const first = { version: 1, isFirst: true, sections: [], removedCount: 0 };
    expect((await get(path)).data).toMatchObject({ versions: [first] });
    const known = await articles.console.read("legal", "risk-disclosure", AT_MS);
    if (!known.done) throw new Error(known.code);
    const {
      kind: _kind,
      changedAtMs: _at,
      version,
      state: _state,
      editedBy: _by,
      versions: _all,
      ...rest
    } = known.value;
    const body = `${rest.body}\n\n## A risk found later\n\nText.\n`;
    const saved = await articles.console.save({ ...rest, kind: "legal", baseVersion: version, body }, BY_OPERATOR);
    expect(saved.done).toBe(true);
    const second = { version: 2, isFirst: false, sections: ["A risk found later"], removedCount: 0 };
    expect((await get(path)).data).toMatchObject({ versions: [second, first] });
    expect((await get("/v1/legal/changes?slug=no-such-page")).status).toBe(404);
  });

  test("[USR-7] an operator's edits are kept when the repository changes, and scripts remain text", async () => {
    const known = await articles.console.read("help", "fees", AT_MS);
    if (!known.done) throw new Error(known.code);
    const {
      kind: _kind,
      changedAtMs: _at,
      version,
      state: _state,
      editedBy: _by,
      versions: _all,
      ...rest
    } = known.value;
    const edit = {
      ...rest,
      kind: "help" as const,
      baseVersion: version,
      title: "Fees <b>",
      summary: "s",
      body: "<script>x</script> [a](javascript:alert(1))",
    };
    const edited = await articles.console.save(edit, BY_OPERATOR);
    expect(edited.done && edited.value.version).toBe(2);
    await articles.importSeeds(AT_MS);
    const { data } = await get("/v1/help/article?slug=fees");
    expect(data.title).toBe("Fees <b>");
    expect(JSON.stringify(data.body)).not.toContain("href");
    expect(JSON.stringify(data.body)).not.toContain('"tag":"script"');
    const broken = await articles.console.save({ ...edit, baseVersion: 2, body: "{{nobody}}" }, BY_OPERATOR);
    expect(broken).toMatchObject({ done: false, code: "ARTICLE_INVALID" });
  });

  test.each(["", "?slug=", "?slug=../x", "?slug=UPPER", `?slug=${"a".repeat(200)}`])(
    "[USR-7] %j is refused as the name of an article",
    async (query) => {
      expect((await get(`/v1/help/article${query}`)).status).toBe(400);
    },
  );

  test("[USR-6] at least twelve lessons have a quiz, and its answers are not revealed", async () => {
    const { data } = await get("/v1/college/courses");
    const courses = data.courses as { slug: string; lessons: { slug: string; questions: number }[] }[];
    const lessons = courses.flatMap(({ slug, lessons: of }) => of.map((lesson) => ({ course: slug, ...lesson })));
    expect(lessons.length).toBeGreaterThanOrEqual(12);
    for (const { course, slug, questions } of lessons) {
      const { data: lesson } = await get(`/v1/college/lesson?course=${course}&slug=${slug}`);
      expect(questions).toBeGreaterThanOrEqual(3);
      expect(Object.keys((lesson.quiz as object[])[0] ?? {}).sort()).toEqual(["answers", "question"]);
    }
  });

  test("[USR-6] an account keeps its best result and no other's", async () => {
    const { college } = articles;
    const quiz = { course: "first-steps", lesson: "your-first-order" };
    const progress = async (userId: number) => {
      const { courses } = await college.listCourses(userId, AT_MS);
      const lesson = courses[0]?.lessons.find(({ slug }) => slug === quiz.lesson);
      return [lesson?.correct, lesson?.isPassed];
    };
    await college.answerQuiz({ ...quiz, answers: [0, 1, 1] }, 7, AT_MS);
    expect(await progress(7)).toEqual([2, false]);
    await college.answerQuiz({ ...quiz, answers: [1, 1, 1] }, 7, AT_MS);
    await college.answerQuiz({ ...quiz, answers: [0, 0, 0] }, 7, AT_MS);
    expect(await progress(7)).toEqual([3, true]);
    expect(await progress(8)).toEqual([null, false]);
  });

  test("[USR-6] a quiz is judged by the server", async () => {
    const ask = async (answers: unknown) => {
      const response = await fetch(`${served.url}/api/v1/college/quiz`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ course: "first-steps", lesson: "your-first-order", answers }),
      });
      return { status: response.status, body: (await response.json()) as { code: unknown; data: unknown } };
    };
    expect((await ask([1, 1, 1])).body.data).toMatchObject({ correct: 3, isPassed: true });
    expect((await ask([0, 1, 1])).body.data).toMatchObject({ correct: 2, isPassed: false });
    expect((await ask([1])).body.code).toBe("ANSWERS_MISSING");
    for (const answers of [[], ["1"], [-1], [99], "1", null]) expect((await ask(answers)).status).toBe(400);
  });
});
