// Many editors and visitors at the same instant, on both databases: every save wins or is refused, every limit holds,
// no mail is sent twice, and no list becomes a mixture of two.
import { CAMPAIGNS_MAX, CampaignService } from "@clockwork/growth/campaigns/service";
import { campaignStore } from "@clockwork/growth/campaigns/store";
import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { present } from "@clockwork/kit/assert";
import { type Answer, startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { forMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";

const CONSOLE = "/v2/operators";
const AT_ONCE = 6;
const ARTICLE = {
  kind: "announcement",
  slug: "crowded-note",
  title: "A note",
  summary: "",
  category: "product",
  section: "",
  isPinned: false,
  isHot: false,
  isWithdrawn: false,
  publishedAtMs: 0,
};
const CAMPAIGN = {
  kind: "banner",
  title: "A banner",
  text: "Words",
  action: "Look",
  to: "/markets",
  audience: "all",
  position: 0,
  startsAtMs: 0,
  endsAtMs: null,
} as const;

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "all at once", (database) => {
    let server: TestServer;
    let operator: Visitor;
    beforeAll(async () => {
      const { url } = database.options();
      server = await startTestServer(url === undefined ? {} : { DATABASE_URL: url });
      ({ operator } = await enterAsOperator(server));
    });
    afterAll(() => server.close());

    const atOnce = (call: (at: number) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, at) => call(at)));

    test.each([0, 1])("[USR-7] of six saves on version %i one wins, and its text is the one stored", async (base) => {
      const saves = await atOnce((at) =>
        operator.post(`${CONSOLE}/articles/save`, { ...ARTICLE, baseVersion: base, body: `Text ${at} on ${base}` }),
      );
      const won = saves.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(saves.filter(({ code }) => code === "ARTICLE_CHANGED")).toHaveLength(AT_ONCE - 1);
      const { data } = await operator.get(`${CONSOLE}/articles/one?kind=announcement&slug=crowded-note`);
      expect([data.version, data.body]).toEqual([base + 1, won[0]?.data.body]);
      expect(data.versions).toHaveLength(base + 1);
    });

    test("[USR-8] of six concurrent changes of one campaign one wins; the others are refused", async () => {
      const save = (more: object) => operator.post(`${CONSOLE}/campaigns/save`, { ...CAMPAIGN, key: "one", ...more });
      expect((await save({ baseSetAtMs: null })).status).toBe(200);
      const { campaigns } = (await operator.get(`${CONSOLE}/campaigns`)).data;
      const row = campaigns.find(({ key }: { key: string }) => key === "one");
      server.wait(1000);
      const saves = await atOnce((at) => save({ baseSetAtMs: row.setAtMs, title: `Title ${at}` }));
      expect(saves.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(saves.filter(({ code }) => code === "CAMPAIGN_CHANGED")).toHaveLength(AT_ONCE - 1);
    });

    test("[USR-8] two hundred campaigns are the limit, also for concurrent saves", async () => {
      const kysely = present(server.kysely, "USR-8", "no database");
      const campaigns = new CampaignService({ store: campaignStore(kysely), hasTestFunds: false });
      const fill = CAMPAIGNS_MAX - (await campaigns.list(0)).campaigns.length - 2;
      const save = (key: string) =>
        campaigns.save({ ...CAMPAIGN, key, baseSetAtMs: null }, { by: "1", timeMs: server.nowMs() });
      for (let at = 0; at < fill; at += 1) await save(`fill-${at}`);
      const saves = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => save(`last-${at}`)));
      expect(saves.filter(({ done }) => done)).toHaveLength(2);
      expect(saves.filter((one) => !one.done && one.code === "CAMPAIGNS_FULL")).toHaveLength(AT_ONCE - 2);
    });

    test("[USR-7] of six editors who change the same footer or links one wins, and the others are refused", async () => {
      const visitor = new Visitor(server);
      const seen = (await visitor.get("/v1/common/footer-list")).data;
      const footer = (at: number) => ({
        columns: [
          { title: `Column ${at}`, links: Array.from({ length: at + 1 }, () => ({ title: "x", to: `/${at}` })) },
        ],
      });
      const links = (at: number) => ({
        links: Array.from({ length: at + 1 }, () => ({ kind: "forum", title: `${at}`, url: "https://a.example" })),
      });
      const footers = await atOnce((at) =>
        operator.post(`${CONSOLE}/site/footer`, { was: seen.columns, ...footer(at) }),
      );
      const socials = await atOnce((at) => operator.post(`${CONSOLE}/site/social`, { was: [], ...links(at) }));
      for (const answers of [footers, socials]) {
        expect(answers.filter(({ code }) => code === "LINKS_CHANGED")).toHaveLength(AT_ONCE - 1);
      }
      const winner = (answers: readonly Answer[]) => answers.findIndex(({ status }) => status === 200);
      expect((await visitor.get("/v1/common/footer-list")).data).toEqual(footer(winner(footers)));
      expect((await visitor.get("/v1/common/social-media")).data).toEqual(links(winner(socials)));
    });

    test("[USR-7] an address typed six times at once gets one mail", async () => {
      const visitor = new Visitor(server);
      await atOnce(() => visitor.post("/v1/common/marketing/sign-up", { email: "crowd@example.com" }));
      const mails = (await visitor.readOutbox("crowd@example.com")).filter(({ kind }) => kind === "newsletter");
      expect(mails).toHaveLength(1);
    });

    test("[USR-8] only switches of the product can be set, to permitted values", async () => {
      const set = async (key: string, value: string) =>
        (await operator.post(`${CONSOLE}/site/config`, { key, value, confirmation: key })).status;
      expect([await set("systemOut", "1"), await set("systemOut", "0")]).toEqual([200, 200]);
      expect([await set("chatGroupRuRU", "https://chat.example/x"), await set("chatGroupRuRU", "")]).toEqual([
        200, 200,
      ]);
      expect(await set("myOwnKey", "1")).toBe(400);
      expect(await set("__proto__", "1")).toBe(400);
      expect(await set("systemOut", "maybe")).toBe(400);
      expect(await set("chatGroupRuRU", "javascript:alert(1)")).toBe(400);
    });
  });
}
