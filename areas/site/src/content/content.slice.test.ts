// The content slice on real databases: both must seed, store and answer alike.
import { CURRENCIES } from "@clockwork/kit/constants";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase } from "@clockwork/server/storage/test-databases";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { CommonType } from "./contract.ts";
import type { ContentNeeds, RateSource } from "./needs.ts";
import { BUILT_IN_SOURCE, simulateRates } from "./rate-rules.ts";
import { RateService } from "./rate-service.ts";
import { ContentService } from "./service.ts";
import { type ContentStore, contentStore } from "./store.ts";

const AT_MS = Date.UTC(2026, 2, 9, 12);
const MINUTE_MS = 60_000;
/** After every other read: an older response never replaces a newer one. */
const LATER_MS = AT_MS + 60 * MINUTE_MS;
const CHANGE = { by: "7", timeMs: AT_MS };

forEachDatabase("content", (place) => {
  let store: ContentStore;
  let answer: (readonly [CommonType, unknown])[];
  let reported: string[];
  const needsWith = (source: RateSource): ContentNeeds => ({
    maySimulateRates: true,
    source,
    publish: (type, data) => answer.push([type, data]),
    report: (fact) => reported.push(fact),
  });
  const openRates = (source: RateSource = BUILT_IN_SOURCE) => new RateService({ store, needs: needsWith(source) });
  const openContent = () =>
    new ContentService({ store, needs: needsWith(BUILT_IN_SOURCE), domains: { fastOrigins: [], partners: [] } });

  beforeAll(async () => {
    const own = collectMigrations(ROOT_FOLDER).filter(({ name }) => name.startsWith("content/"));
    await migrate(place.database(), own);
    store = contentStore(place.database().kysely);
  });
  beforeEach(() => {
    answer = [];
    reported = [];
  });

  test("[SITE-7] the built-in rates are kept, marked as simulated, and published only when they change", async () => {
    const rates = openRates();
    const first = await rates.refresh(AT_MS);
    expect(first).toEqual({
      base: "USD",
      rates: simulateRates(AT_MS),
      asOf: "2026-03-09T12:00:00.000Z",
      source: "built-in",
      simulated: true,
    });
    await rates.refresh(AT_MS + 30_000);
    expect(answer).toEqual([["rate", first]]);
    const later = await rates.refresh(AT_MS + 10 * MINUTE_MS);
    expect(later.rates).not.toEqual(first.rates);
    expect(answer).toEqual([
      ["rate", first],
      ["rate", later],
    ]);
    expect(await store.listRates()).toHaveLength(CURRENCIES.length - 1);
    // Another process reads the same without querying the source.
    expect((await openRates().read(AT_MS + 10 * MINUTE_MS)).rates).toEqual(later.rates);
  });

  test("[SITE-7] an operator's rate is kept until it is withdrawn, and an invalid one is refused", async () => {
    const rates = openRates();
    await rates.refresh(LATER_MS);
    for (const broken of ["0", "-1", "abc", "1e9"]) {
      expect(await rates.setOverride("EUR", broken, { by: "7", timeMs: LATER_MS })).toMatchObject({
        done: false,
        code: "RATE_INVALID",
      });
    }
    expect(await rates.setOverride("USD", "2", { by: "7", timeMs: LATER_MS })).toMatchObject({ done: false });
    await rates.setOverride("EUR", "0.5", { by: "7", timeMs: LATER_MS });
    await rates.setOverride("EUR", "0.51", { by: "8", timeMs: LATER_MS + 1 });
    expect((await rates.read(LATER_MS)).rates.EUR).toBe("0.51");
    expect((await rates.refresh(LATER_MS + MINUTE_MS)).rates.EUR).toBe("0.51");
    expect((await openRates().read(LATER_MS)).source).toBe("built-in, operator");
    const back = await rates.clearOverride("EUR", { by: "8", timeMs: LATER_MS + MINUTE_MS });
    expect(back.rates.EUR).toBe(simulateRates(LATER_MS + MINUTE_MS).EUR);
    expect(answer.length).toBeGreaterThanOrEqual(3);
  });

  test("[SITE-7] a source that fails leaves its last rates, with their age", async () => {
    let fails = false;
    const bank: RateSource = {
      name: "bank.example",
      isSimulated: false,
      fetchRates: async (timeMs) => {
        if (fails) throw new Error("away");
        return { rates: Object.fromEntries(CURRENCIES.map((currency) => [currency, "3.5"])), asOfMs: timeMs };
      },
    };
    const rates = openRates(bank);
    const fresh = await rates.refresh(AT_MS);
    expect(fresh).toMatchObject({ source: "bank.example", simulated: false, rates: { EUR: "3.5", USD: "1" } });
    fails = true;
    expect(await rates.refresh(AT_MS + 5 * MINUTE_MS)).toEqual(fresh);
    expect(reported).toEqual(["rates.failed"]);
    // A late response of another process does not bring older rates back.
    await store.saveRates([
      { currency: "EUR", rate: "9", source: "bank.example", is_simulated: false, as_of_ms: AT_MS - 1 },
    ]);
    expect((await openRates(bank).read(AT_MS)).rates.EUR).toBe("3.5");
    // Without their source the outside rates are not shown as current.
    expect((await openRates().read(AT_MS)).simulated).toBe(true);
  });

  test("[USR-8] the switches start with the Hbt switch; a change is published once", async () => {
    const content = openContent();
    expect(await content.readConfig()).toEqual({ hbtSwitch: "0", systemOut: "0" });
    expect(await content.setConfig("hbtSwitch", "1", CHANGE)).toMatchObject({ done: true });
    expect(await content.setConfig("hbtSwitch", "1", CHANGE)).toMatchObject({ done: true });
    expect(await content.setConfig("hbtSwitch", "2", CHANGE)).toMatchObject({ done: false, code: "CONFIG_INVALID" });
    expect(answer).toEqual([["config", { hbtSwitch: "1", systemOut: "0" }]]);
  });

  test("[USR-8] a module is down in its time, and pages receive its start and end", async () => {
    const content = openContent();
    const planned = { reason: "New books", startsAtMs: AT_MS + 10, endsAtMs: AT_MS + 20 };
    expect(await content.setDowntime("spot", planned, CHANGE)).toMatchObject({ done: true, value: { isDown: false } });
    expect(await content.readModule("spot", AT_MS + 10)).toEqual({
      module: "spot",
      isDown: true,
      reason: "New books",
      startsAt: "2026-03-09T12:00:00.010Z",
      endsAt: "2026-03-09T12:00:00.020Z",
    });
    expect((await content.readModule("otc", AT_MS + 10)).isDown).toBe(false);
    await content.refresh(AT_MS + 20);
    expect(answer.map(([type]) => type)).toEqual(["modules", "modules", "modules"]);
    expect((await content.readModule("spot", AT_MS + 20)).isDown).toBe(false);
    await content.setDowntime("spot", { reason: "Open end", startsAtMs: 0 }, CHANGE);
    expect(await openContent().readModule("spot", AT_MS)).toMatchObject({ isDown: true, endsAt: null });
    expect(await content.clearDowntime("spot", CHANGE)).toMatchObject({ code: "DOWNTIME_TAKES_TWO" });
    for (const early of [
      { reason: "Later", startsAtMs: AT_MS + 50 },
      { reason: "Over", startsAtMs: 0, endsAtMs: AT_MS },
      { reason: "Soon over", startsAtMs: 0, endsAtMs: AT_MS + 1 },
    ])
      expect(await content.setDowntime("spot", early, CHANGE)).toMatchObject({ code: "DOWNTIME_TAKES_TWO" });
    const reworded = { by: "8", timeMs: AT_MS + 1 };
    expect(await content.setDowntime("spot", { reason: "Still open", startsAtMs: 0 }, reworded)).toMatchObject({
      value: { isDown: true, reason: "Still open" },
    });
    expect(await content.endDowntime("spot", AT_MS, AT_MS + 2)).toBe(false);
    expect(await content.findUnderWay("spot", AT_MS + 2)).toBe(AT_MS + 1);
    expect(await content.endDowntime("spot", AT_MS + 1, AT_MS + 2)).toBe(true);
    expect(await content.endDowntime("spot", AT_MS + 1, AT_MS + 3)).toBe(true);
    expect(await content.readModule("spot", AT_MS + 3)).toMatchObject({ isDown: false });
    const backwards = { reason: "x", startsAtMs: 5, endsAtMs: 4 };
    expect(await content.setDowntime("spot", backwards, CHANGE)).toMatchObject({ code: "DOWNTIME_INVALID" });
  });

  test("[USR-7] the seeded footer is served in order and can be replaced whole", async () => {
    const content = openContent();
    const seeded = await content.readFooter();
    expect(seeded.columns.map(({ title, links }) => [title, links.length])).toEqual([
      ["Trade", 6],
      ["Grow", 6],
      ["Support", 7],
      ["Developers", 7],
      ["Company", 6],
    ]);
    expect(seeded.columns[3]?.links[3]).toEqual({ title: "Design system", to: "/docs" });
    const own = [{ title: "More", links: [{ title: "Docs", to: "/docs" }] }];
    expect(await content.setFooter([], [{ title: "Bad", links: [{ title: "x", to: "javascript:1" }] }])).toMatchObject({
      code: "FOOTER_INVALID",
    });
    expect(await content.setFooter(seeded.columns, own)).toMatchObject({ done: true });
    expect(await content.setFooter(seeded.columns, [])).toMatchObject({ code: "LINKS_CHANGED" });
    expect(await content.readFooter()).toEqual({ columns: own });
    await content.setFooter(own, seeded.columns);
    expect(await content.readFooter()).toEqual(seeded);
  });

  test("[USR-7] there are no social links until an operator adds some", async () => {
    const content = openContent();
    expect(await content.readSocial()).toEqual({ links: [] });
    const links = [
      { kind: "video", title: "Films", url: "https://video.example/clockwork" },
      { kind: "chat", title: "Talk", url: "https://chat.example/clockwork" },
    ];
    expect(await content.setSocial([], links)).toMatchObject({ done: true });
    expect(await content.readSocial()).toEqual({ links });
    expect(await content.setSocial(links, [{ kind: "x", title: "X", url: "http://x.example" }])).toMatchObject({
      code: "SOCIAL_INVALID",
    });
    expect(await content.setSocial([], [])).toMatchObject({ code: "LINKS_CHANGED" });
    await content.setSocial(links, []);
  });
});
