import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareContracts, describeOpenApi, findUnplaced, type OpenApi, splitOpenApi } from "./contracts.ts";
import { checkWeights, weighPages } from "./page-weight.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cw-weight-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** Text that gzip cannot shrink much: about `bytes` long afterwards. */
const noise = (bytes: number): string => {
  let state = 1;
  return Array.from({ length: bytes }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join("");
};

describe("[HOUSE-5] page weight", () => {
  const site = (homeBytes: number, lazyBytes: number): void => {
    const assets = "apps/web/build/client/assets";
    const routes = {
      root: { id: "root", path: "", module: "/assets/root.js" },
      home: { id: "home", parentId: "root", index: true, module: "/assets/home.js" },
      book: { id: "book", parentId: "root", path: "book", module: "/assets/book.js", imports: ["/assets/shared.js"] },
    };
    put(
      `${assets}/manifest-1.js`,
      `window.__reactRouterManifest=${JSON.stringify({ entry: { module: "/assets/entry.js", imports: [] }, routes })};`,
    );
    put(`${assets}/entry.js`, 'import{a}from"./shared.js";a();');
    put(`${assets}/shared.js`, "export const a=()=>1;");
    put(`${assets}/root.js`, "export const r=1;");
    put(`${assets}/home.js`, `import"./deep.js";const later=()=>import("./lazy.js");export{later};`);
    put(`${assets}/deep.js`, `/*${noise(homeBytes)}*/`);
    put(`${assets}/lazy.js`, `/*${noise(lazyBytes)}*/`);
    put(`${assets}/book.js`, "export const b=1;");
  };

  it("counts what a first visit must load, through imports of imports, and not what waits for a click", () => {
    site(20_000, 500_000);
    const weights = weighPages(root);
    expect(weights.get("/")).toBeGreaterThan(15_000);
    expect(weights.get("/")).toBeLessThan(25_000);
    expect(weights.get("/book")).toBeLessThan(2_000);
    expect(checkWeights(weights)).toEqual([]);
  });

  it("weighs the terminal before its chart and with it", () => {
    const assets = "apps/web/build/client/assets";
    const routes = { spot: { id: "spot", path: "spot/*", module: "/assets/spot.js" } };
    put(
      `${assets}/manifest-1.js`,
      `window.__reactRouterManifest=${JSON.stringify({ entry: { module: "/assets/entry.js", imports: [] }, routes })};`,
    );
    put(`${assets}/entry.js`, "1;");
    put(`${assets}/spot.js`, `/*${noise(100_000)}*/`);
    expect(() => weighPages(root)).toThrow("chart-engine");
    put(`${assets}/chart-engine-1.js`, `import"./spot.js";/*${noise(400_000)}*/`);
    const weights = weighPages(root);
    expect(weights.get("/spot/*")).toBeLessThan(120_000);
    expect(checkWeights(weights)).toEqual([expect.stringContaining("/spot/* with chart-engine")]);
  });

  it("reports a page that grew over its budget", () => {
    site(230_000, 0);
    expect(checkWeights(weighPages(root))).toEqual([
      expect.stringMatching(/^\/: first load is 1[0-9]{2}\.[0-9] kB of JavaScript after gzip, allowed are 126\.0 kB$/),
    ]);
  });
});

describe("[HOUSE-5] page budgets", () => {
  it("holds the home page tightest, in every language", () => {
    const heavy = new Map(["/", "/en_US", "/spot", "/en_US/docs/date"].map((path) => [path, 190_000]));
    expect(checkWeights(heavy).map((line) => line.split(":")[0])).toEqual(["/", "/en_US"]);
  });
});

describe("[HOUSE-5] contracts", () => {
  it("reports a contract that differs, one that is not committed and one that has no code any more", () => {
    put("docs/openapi.txt", "one\n");
    const same = new Map([["docs/openapi.txt", "one\n"]]);
    expect(compareContracts(root, same)).toEqual([]);
    expect(compareContracts(root, new Map([["docs/openapi.txt", "two\n"]]))).toHaveLength(1);
    expect(compareContracts(root, new Map([...same, ["docs/events.json", "{}\n"]]))).toHaveLength(1);
    expect(compareContracts(root, new Map())).toHaveLength(1);
  });

  const read = { "x-audience": "public", "x-area": "site", summary: "Reads" };
  const order = { "x-audience": "program", "x-area": "trading", summary: "Orders" };
  const document: OpenApi = { info: {}, paths: { "/articles": { get: read }, "/orders": { post: order, get: read } } };

  it("gives each operation a line of its own, which changes with it alone", () => {
    const before = describeOpenApi(document).split("\n");
    const changed = { ...document, paths: { ...document.paths, "/articles": { get: { ...read, summary: "Lists" } } } };
    const after = describeOpenApi(changed).split("\n");
    expect(before).toHaveLength(5);
    expect(before.filter((line) => !after.includes(line))).toEqual([
      expect.stringMatching(/ public site GET \/articles$/),
    ]);
  });

  it("splits the document by audience and area and loses no operation", () => {
    const parts = splitOpenApi(document);
    expect([...parts.keys()].sort()).toEqual(["openapi.json", "program/trading.json", "public/site.json"]);
    expect(parts.get("public/site.json")?.paths).toEqual({ "/articles": { get: read }, "/orders": { get: read } });
    expect(parts.get("program/trading.json")?.paths).toEqual({ "/orders": { post: order } });
  });

  it("refuses an operation whose tag is in no area", () => {
    const { "x-area": _, ...lost } = read;
    expect(findUnplaced(document)).toEqual([]);
    expect(findUnplaced({ ...document, paths: { "/lost": { get: lost } } })).toHaveLength(1);
  });
});
