import { expect, test } from "vitest";
import { readFooter } from "#boot/footer-list.ts";
import { hasPage, PAGES } from "#boot/route-table.ts";
import { formatRobots, formatSitemap } from "#boot/site-map.ts";
import { listBar, listMenu } from "./menu.ts";
import { findPages, registerSearchSource, search } from "./search-sources.ts";

test("[SITE-10] with every page there, the menus are the product's: Markets, Trade, Copy, Earn, OTC, More", () => {
  const menu = listMenu(() => true);
  expect(menu.map((group) => group.title)).toEqual([
    "menu.markets",
    "menu.trade",
    "menu.copy",
    "menu.earn",
    "menu.otc",
    "menu.more",
  ]);
  expect(menu[1]?.columns?.map((column) => column.items.length)).toEqual([4, 5, 4]);
  expect(listBar(() => true)).toHaveLength(5);
});

test("[SITE-10] nothing in menus, bar or footer points to a page that does not exist", () => {
  const paths = [
    ...listMenu().flatMap((group) =>
      group.columns === undefined
        ? [group.path ?? ""]
        : group.columns.flatMap(({ items }) => items.map(({ path }) => path)),
    ),
    ...listBar().map(({ path }) => path),
    ...readFooter(undefined).flatMap(({ links }) => links.map(({ to }) => to)),
  ];
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) expect(hasPage(path), path).toBe(true);
  expect(listMenu(() => false)).toEqual([]);
  expect(listBar((path) => path === "/")).toEqual([]);
});

test("[SITE-10] a served footer list is used when whole, and cannot bring in foreign schemes", () => {
  const served = [
    {
      title: "A",
      links: [
        { title: "Docs", to: "/docs" },
        { title: "Bad", to: "javascript:alert(1)" },
        { title: "Other", to: "//evil.example" },
        { title: "Web", to: "https://example.org/" },
      ],
    },
  ];
  expect(readFooter(served)).toEqual([
    {
      title: "A",
      links: [
        { title: "Docs", to: "/docs" },
        { title: "Web", to: "https://example.org/" },
      ],
    },
  ]);
  expect(readFooter([{ nonsense: true }])).toEqual(readFooter(undefined));
});

test("[SITE-20] search finds pages by title, word and path, and queries every source", async () => {
  expect(findPages("colour").map(({ path }) => path)).toEqual(["/docs/color"]);
  expect(findPages("DESIGN system").map(({ path }) => path)).toContain("/docs");
  expect(findPages("no such thing")).toEqual([]);
  const remove = registerSearchSource({
    id: "pairs",
    title: "Pairs",
    find: async (query) => (query === "btc" ? [{ path: "/spot/BTC_USDT", title: "BTC/USDT" }] : []),
  });
  const broken = registerSearchSource({ id: "broken", title: "Broken", find: () => Promise.reject(new Error("down")) });
  expect((await search(" btc ")).map(({ id }) => id)).toEqual(["pairs"]);
  remove();
  broken();
  expect(await search("btc")).toEqual([]);
});

test("[SITE-21] the sitemap lists every page that may be indexed, and robots leads to it", () => {
  const map = formatSitemap("https://x.example");
  for (const page of PAGES) {
    const listed = map.includes(`<loc>https://x.example${page.path}</loc>`);
    expect(listed, page.path).toBe(page.hidden !== true && !page.path.includes("*") && !page.path.includes(":"));
  }
  expect(formatRobots("https://x.example")).toContain("Sitemap: https://x.example/sitemap.xml");
});
