// The editors' console over a listening process: every call requires the role and its second factor, every change is in
// the audit log, bad input is refused, and visitors see what is saved.

import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Short enough that sessions remain valid. */
const STEP_MS = 60_000;
const DAY_MS = 86_400_000;
const CONSOLE = "/v2/operators";
const POPUP = {
  key: "launch",
  kind: "popup",
  title: "<script>alert(1)</script>",
  text: '=HYPERLINK("x")',
  action: "Look",
  to: "/markets",
  audience: "all",
  position: 0,
  startsAtMs: 0,
  endsAtMs: null,
  baseSetAtMs: null,
};
const ARTICLE = {
  kind: "announcement",
  slug: "planned-note",
  baseVersion: 0,
  title: "A planned note",
  summary: "Soon",
  category: "product",
  section: "",
  body: "Words with **weight**.",
  isPinned: true,
  isHot: false,
  isWithdrawn: false,
  publishedAtMs: 0,
};

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "editors' console", (database) => {
    let server: TestServer;
    let operator: Visitor;
    let second: Visitor;
    let visitor: Visitor;
    beforeAll(async () => {
      const url = database.options().url;
      server = await startTestServer({ ...TWO_OPERATORS, ...(url === undefined ? {} : { DATABASE_URL: url }) });
      ({ operator } = await enterAsOperator(server));
      second = (await enterAsOperator(server, 1)).operator;
      visitor = new Visitor(server);
    });
    afterAll(() => server.close());

    const lastAction = async () => (await operator.get(`${CONSOLE}/audit`)).data.rows[0];

    test("[USR-8] only editors have access: no visitor, no customer", async () => {
      const customer = new Visitor(server);
      await customer.signUp("customer@example.com");
      const calls = [
        () => customer.get(`${CONSOLE}/campaigns`),
        () => customer.post(`${CONSOLE}/campaigns/save`, POPUP),
        () => customer.get(`${CONSOLE}/articles?kind=help`),
        () => customer.post(`${CONSOLE}/articles/save`, ARTICLE),
        () => customer.post(`${CONSOLE}/site/footer`, { was: [], columns: [] }),
        () => customer.post(`${CONSOLE}/site/config`, { key: "hbtSwitch", value: "1" }),
        () => customer.get(`${CONSOLE}/newsletter`),
        () => customer.get(`${CONSOLE}/visits/totals?from=2026-11-01&to=2026-11-02`),
      ];
      for (const knock of calls) {
        const answer = await knock();
        expect([answer.status, answer.code]).toEqual([403, "FORBIDDEN"]);
      }
      expect((await visitor.get(`${CONSOLE}/campaigns`)).status).toBe(401);
    });

    test("[USR-8] a popup is shown from its start to its end, to its audience, and once to an account", async () => {
      const now = server.nowMs();
      await operator.post(`${CONSOLE}/campaigns/save`, {
        ...POPUP,
        startsAtMs: now + STEP_MS,
        endsAtMs: now + 2 * STEP_MS,
      });
      expect(await lastAction()).toMatchObject({ action: "campaign.saved", subject: "popup/launch" });
      expect((await visitor.get("/v1/home/popups")).data.popups).toEqual([]);
      server.wait(STEP_MS + 1);
      const shown = { key: "launch", title: POPUP.title, text: POPUP.text, action: "Look", to: "/markets" };
      expect((await visitor.get("/v1/home/popups")).data.popups).toEqual([shown]);
      const member = new Visitor(server);
      await member.signUp("member@example.com");
      expect((await member.get("/v1/home/popups")).data.popups).toEqual([shown]);
      expect((await member.post("/v1/home/popups/seen", { key: "launch" })).status).toBe(200);
      expect((await member.get("/v1/home/popups")).data.popups).toEqual([]);
      expect((await visitor.post("/v1/home/popups/seen", { key: "launch" })).status).toBe(401);
      expect((await member.post("/v1/home/popups/seen", { key: "none" })).code).toBe("CAMPAIGN_UNKNOWN");
      await operator.post(`${CONSOLE}/campaigns/save`, { ...POPUP, key: "members", audience: "members" });
      expect((await visitor.get("/v1/home/popups")).data.popups).toEqual([shown]);
      expect((await member.get("/v1/home/popups")).data.popups).toHaveLength(1);
      server.wait(STEP_MS);
      expect((await visitor.get("/v1/home/popups")).data.popups).toEqual([]);
      expect((await operator.post(`${CONSOLE}/campaigns/remove`, { key: "launch" })).status).toBe(200);
      expect((await operator.post(`${CONSOLE}/campaigns/remove`, { key: "launch" })).code).toBe("CAMPAIGN_UNKNOWN");
    });

    test.each([
      [{ to: "javascript:alert(1)" }, "CAMPAIGN_INVALID"],
      [{ to: "//evil.example" }, "CAMPAIGN_INVALID"],
      [{ to: "http://plain.example" }, "CAMPAIGN_INVALID"],
      [{ to: "" }, "CAMPAIGN_INVALID"],
      [{ title: "  " }, "CAMPAIGN_INVALID"],
      [{ title: "a\u0000b" }, "VALIDATION_FAILED"],
      [{ startsAtMs: 10, endsAtMs: 10 }, "CAMPAIGN_INVALID"],
      [{ title: "" }, "VALIDATION_FAILED"],
      [{ title: "x".repeat(81) }, "VALIDATION_FAILED"],
      [{ key: "../x" }, "VALIDATION_FAILED"],
      [{ kind: "page" }, "VALIDATION_FAILED"],
      [{ position: -1 }, "VALIDATION_FAILED"],
      [{ position: 1.5 }, "VALIDATION_FAILED"],
      [{ startsAtMs: "0" }, "VALIDATION_FAILED"],
      [{ extra: 1 }, "VALIDATION_FAILED"],
    ])("[USR-8] a campaign with %j is refused", async (wrong, code) => {
      const answer = await operator.post(`${CONSOLE}/campaigns/save`, { ...POPUP, key: "wrong", ...wrong });
      expect([answer.status, answer.code]).toEqual([400, code]);
    });

    test("[USR-7] an announcement is scheduled, pinned, changed, kept in versions and withdrawn", async () => {
      const at = server.nowMs() + STEP_MS;
      const saved = await operator.post(`${CONSOLE}/articles/save`, { ...ARTICLE, publishedAtMs: at });
      expect(saved.data).toMatchObject({ version: 1, state: "scheduled" });
      expect(await lastAction()).toMatchObject({ action: "article.saved", subject: "announcement/planned-note" });
      expect((await visitor.get("/v1/announcements/one?slug=planned-note")).status).toBe(404);
      server.wait(STEP_MS + 1);
      expect((await visitor.get("/v1/announcements/one?slug=planned-note")).status).toBe(200);
      const notices = (await visitor.get("/v1/home/notices")).data.articles.map(({ slug }: { slug: string }) => slug);
      expect(notices[0]).toBe("planned-note");
      expect((await operator.post(`${CONSOLE}/articles/save`, ARTICLE)).code).toBe("ARTICLE_CHANGED");
      const second = { ...ARTICLE, baseVersion: 1, body: "Other words." };
      expect((await operator.post(`${CONSOLE}/articles/save`, second)).data.version).toBe(2);
      const first = await operator.get(`${CONSOLE}/articles/version?kind=announcement&slug=planned-note&version=1`);
      expect(first.data.body).toBe(ARTICLE.body);
      await operator.post(`${CONSOLE}/articles/save`, { ...second, baseVersion: 2, isWithdrawn: true });
      expect((await visitor.get("/v1/announcements/one?slug=planned-note")).status).toBe(404);
      const list = (await operator.get(`${CONSOLE}/articles?kind=announcement`)).data.articles;
      expect(list.find(({ slug }: { slug: string }) => slug === "planned-note").state).toBe("withdrawn");
    });

    test.each([
      [{ slug: "A B" }, 400, "VALIDATION_FAILED"],
      [{ title: "" }, 400, "VALIDATION_FAILED"],
      [{ title: " " }, 400, "ARTICLE_INVALID"],
      [{ title: "one\ntwo" }, 400, "ARTICLE_INVALID"],
      [{ body: "{{nobody}}" }, 400, "ARTICLE_INVALID"],
      [{ body: "a\u0000b" }, 400, "VALIDATION_FAILED"],
      [{ summary: "a\u0000b" }, 400, "VALIDATION_FAILED"],
      [{ category: "" }, 400, "VALIDATION_FAILED"],
      [{ publishedAtMs: -1 }, 400, "VALIDATION_FAILED"],
      [{ kind: "lesson", slug: "nowhere" }, 404, "ARTICLE_NOT_FOUND"],
      [{ baseVersion: 3 }, 409, "ARTICLE_CHANGED"],
    ])("[USR-7] an article with %j is refused", async (wrong, status, code) => {
      const answer = await operator.post(`${CONSOLE}/articles/save`, { ...ARTICLE, slug: "bad-note", ...wrong });
      expect([answer.status, answer.code]).toEqual([status, code]);
    });

    test("[USR-7] a text longer than a book is refused", async () => {
      const answer = await operator.post(`${CONSOLE}/articles/save`, {
        ...ARTICLE,
        slug: "long",
        body: "x".repeat(200_001),
      });
      expect(answer.status).toBe(400);
    });

    test("[USR-7] a preview renders like a page, without markup", async () => {
      const { data } = await operator.post(`${CONSOLE}/articles/preview`, { body: "<img src=x onerror=1> **b**" });
      expect(JSON.stringify(data.body)).toContain("<img src=x onerror=1>");
      expect(JSON.stringify(data.body)).not.toContain('"tag":"img"');
    });

    test("[USR-7] a preview accepts no more than a page may have", async () => {
      const codes = [];
      for (const body of ["a ".repeat(30_001), "a\n".repeat(2_000), "a\n".repeat(1_999)]) {
        codes.push((await operator.post(`${CONSOLE}/articles/preview`, { body })).code);
      }
      expect(codes).toEqual(["VALIDATION_FAILED", "ARTICLE_INVALID", 200]);
    });

    test("[USR-8] footer, links, downtime and switches change for all at once", async () => {
      const columns = [{ title: "Only", links: [{ title: "Markets", to: "/markets" }] }];
      const was = (await visitor.get("/v1/common/footer-list")).data.columns;
      expect((await operator.post(`${CONSOLE}/site/footer`, { was, columns })).status).toBe(200);
      expect((await visitor.get("/v1/common/footer-list")).data.columns).toEqual(columns);
      expect(await lastAction()).toMatchObject({ action: "footer.set", detail: "1 columns, 1 links" });
      const links = [{ kind: "forum", title: "Forum", url: "https://forum.example" }];
      expect((await operator.post(`${CONSOLE}/site/social`, { was: [], links })).status).toBe(200);
      expect((await visitor.get("/v1/common/social-media")).data.links).toEqual(links);
      expect((await operator.post(`${CONSOLE}/site/config`, { key: "hbtSwitch", value: "1" })).data.hbtSwitch).toBe(
        "1",
      );
      expect((await visitor.get("/v1/common/global-config")).data.hbtSwitch).toBe("1");
      const out = { key: "systemOut", value: "1" };
      for (const slip of [out, { ...out, confirmation: "systemout" }])
        expect((await operator.post(`${CONSOLE}/site/config`, slip)).code).toBe("CONFIRMATION_WRONG");
      expect((await visitor.get("/v1/common/global-config")).data.systemOut).toBe("0");
      const typed = { ...out, confirmation: "systemOut" };
      expect((await operator.post(`${CONSOLE}/site/config`, typed)).data.systemOut).toBe("1");
      expect((await operator.post(`${CONSOLE}/site/config`, { ...out, value: "0" })).data.systemOut).toBe("0");
      expect((await operator.post(`${CONSOLE}/site/rate`, { currency: "EUR", rate: "0.5" })).data.rates.EUR).toBe(
        "0.5",
      );
      expect((await operator.post(`${CONSOLE}/site/rate`, { currency: "EUR", rate: null })).data.rates.EUR).not.toBe(
        "0.5",
      );
    });

    test("[USR-8] one operator with the typed name takes a part down and two bring it back", async () => {
      const rest = { module: "otc", reason: "Moving house", startsAtMs: server.nowMs() - 1, endsAtMs: null };
      const unsure = await operator.post(`${CONSOLE}/site/downtime`, { ...rest, confirmation: "spot" });
      expect([unsure.status, unsure.code]).toEqual([400, "CONFIRMATION_WRONG"]);
      const isDown = async () => (await visitor.get("/v1/common/module-downtime?module=otc")).data.isDown;
      expect(await isDown()).toBe(false);
      const sure = { ...rest, confirmation: "otc" };
      expect((await operator.post(`${CONSOLE}/site/downtime`, sure)).data.isDown).toBe(true);
      expect((await visitor.get("/v1/common/module-downtime?module=otc")).data.reason).toBe("Moving house");
      const alone = [
        await operator.post(`${CONSOLE}/site/downtime/clear`, { module: "otc" }),
        await operator.post(`${CONSOLE}/site/downtime`, { ...sure, startsAtMs: server.nowMs() + STEP_MS }),
        await operator.post(`${CONSOLE}/site/downtime`, { ...sure, endsAtMs: server.nowMs() }),
      ];
      expect(alone.map(({ status, code }) => [status, code])).toEqual(Array(3).fill([409, "DOWNTIME_TAKES_TWO"]));
      const open = { module: "otc", clientId: crypto.randomUUID() };
      const made = await operator.post(`${CONSOLE}/site/downtime/open`, open);
      expect((await approve(operator, made)).code).toBe("PROPOSER_IS_APPROVER");
      expect(await isDown()).toBe(true);
      expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED" });
      expect(await isDown()).toBe(false);
      expect((await operator.post(`${CONSOLE}/site/downtime/open`, open)).code).toBe("DOWNTIME_NONE");
      // One operator withdraws what has not started.
      await operator.post(`${CONSOLE}/site/downtime`, { ...sure, startsAtMs: server.nowMs() + STEP_MS });
      expect((await operator.post(`${CONSOLE}/site/downtime/clear`, { module: "otc" })).data.startsAt).toBeNull();
    });

    test.each([
      ["footer", { was: [], columns: [{ title: "x", links: [{ title: "y", to: "javascript:1" }] }] }, "FOOTER_INVALID"],
      ["footer", { was: [], columns: [{ title: "x", links: [] }] }, "FOOTER_INVALID"],
      ["social", { was: [], links: [{ kind: "x", title: "y", url: "http://plain.example" }] }, "SOCIAL_INVALID"],
      ["downtime", { module: "otc", reason: "r", startsAtMs: 5, endsAtMs: 5, confirmation: "otc" }, "DOWNTIME_INVALID"],
      [
        "downtime",
        { module: "moon", reason: "r", startsAtMs: 5, endsAtMs: null, confirmation: "moon" },
        "VALIDATION_FAILED",
      ],
      ["config", { key: "myOwnKey", value: "" }, "VALIDATION_FAILED"],
      ["config", { key: "hbtSwitch", value: "2" }, "CONFIG_INVALID"],
      ["config", { key: "chatGroupRuRU", value: "a\nb" }, "CONFIG_INVALID"],
      ["rate", { currency: "XXX", rate: "1" }, "RATE_INVALID"],
      ["rate", { currency: "EUR", rate: "-1" }, "RATE_INVALID"],
      ["rate", { currency: "USD", rate: "2" }, "RATE_INVALID"],
    ])("[USR-8] the site's %s is not set to %j", async (what, body, code) => {
      const answer = await operator.post(`${CONSOLE}/site/${what}`, body);
      expect([answer.status, answer.code]).toEqual([400, code]);
    });

    test("[NET-8] visits are read per day with their campaign", async () => {
      const ask = "/open/activity/statistics?event=home&request_source=H5&utm_source=mail&utm_campaign=spring";
      await visitor.get(ask);
      await visitor.get(ask);
      const day = new Date(server.nowMs()).toISOString().slice(0, 10);
      const totals = await operator.get(`${CONSOLE}/visits/totals?from=${day}&to=${day}`);
      expect(totals.data.totals).toEqual([{ day, event: "home", source: "H5", count: 2 }]);
      const rows = await operator.get(`${CONSOLE}/visits/rows?from=${day}&to=${day}`);
      expect(rows.data.rows[0]).toMatchObject({ utmSource: "mail", utmCampaign: "spring", count: 2 });
      for (const wrong of ["from=2026-11-02&to=2026-11-01", "from=2026-02-30&to=2026-03-01", "from=x&to=y", ""]) {
        expect((await operator.get(`${CONSOLE}/visits/totals?${wrong}`)).status).toBe(400);
      }
    });

    test("[USR-7] the newsletter is confirmed only by its owner, left with one press, and reveals no address", async () => {
      const path = "/v1/common/marketing";
      const ask = (email: string) => visitor.post(`${path}/sign-up`, { email, source: "home" });
      expect((await ask("Ada@Example.com")).data).toBe(null);
      expect((await ask("ada@example.com")).status).toBe(200);
      const mails = (await visitor.readOutbox("ada@example.com")).filter(({ kind }) => kind === "newsletter");
      expect(mails).toHaveLength(1);
      const token = /\?confirm=([\w-]+)/.exec(mails[0]?.text ?? "")?.[1] ?? "";
      expect((await operator.get(`${CONSOLE}/newsletter`)).data).toMatchObject({ confirmed: 0, waiting: 1 });
      expect((await visitor.post(`${path}/confirm`, { token })).status).toBe(200);
      expect((await visitor.post(`${path}/confirm`, { token })).status).toBe(200);
      const read = (await operator.get(`${CONSOLE}/newsletter`)).data;
      expect(read).toMatchObject({ confirmed: 1, waiting: 0, subscribers: [{ email: "ada@example.com" }] });
      expect(await lastAction()).toMatchObject({ action: "newsletter.read" });
      expect((await visitor.post(`${path}/leave`, { token })).status).toBe(200);
      expect((await visitor.post(`${path}/leave`, { token })).code).toBe("TOKEN_INVALID");
      expect((await operator.get(`${CONSOLE}/newsletter`)).data).toMatchObject({ confirmed: 0, waiting: 0 });
      for (const body of [{ email: "nope" }, { email: "a@b\r\nBcc: c@d.example" }, {}, { email: 5 }]) {
        expect((await visitor.post(`${path}/sign-up`, body)).status).toBe(400);
      }
      for (const wrong of ["x", "a".repeat(65), "<b>aaaaaaaaaaaaaaaaaaaaaaaa"]) {
        expect((await visitor.post(`${path}/confirm`, { token: wrong })).status).toBe(400);
      }
      expect((await visitor.post(`${path}/confirm`, { token: "a".repeat(32) })).code).toBe("TOKEN_INVALID");
    });

    test("[USR-8] the hot search counts what the exchange has a name for, and no user's own words", async () => {
      const found = { kind: "article", key: "help/trailing-stop" };
      expect((await visitor.post("/v1/common/hot-search", found)).status).toBe(200);
      await visitor.post("/v1/common/hot-search", found);
      await visitor.post("/v1/common/hot-search", { kind: "article", key: "help/fees" });
      const { searches } = (await visitor.get("/v1/common/hot-search")).data;
      expect(searches.map(({ key }: { key: string }) => key)).toEqual(["help/trailing-stop", "help/fees"]);
      expect(searches[0]).toMatchObject({ title: "Trailing stop", category: "trading" });
      for (const [body, status] of [
        [{ kind: "article", key: "help/nothing" }, 404],
        [{ kind: "article", key: "spam" }, 404],
        [{ kind: "pair", key: "SPAM_USDT" }, 404],
        [{ kind: "pair", key: "<script>" }, 400],
        [{ kind: "text", key: "buy" }, 400],
        [{ kind: "pair" }, 400],
      ] as const) {
        expect((await visitor.post("/v1/common/hot-search", body)).status).toBe(status);
      }
      server.wait(8 * DAY_MS);
      expect((await visitor.get("/v1/common/hot-search")).data.searches).toEqual([]);
    });
  });
}
