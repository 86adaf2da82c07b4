// Owns the weight of a page: how much JavaScript a first visit downloads, compressed, and how much it may.
// Reads what the web build left behind; never builds.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";

interface RouteEntry {
  readonly id: string;
  readonly parentId?: string;
  readonly path?: string;
  readonly index?: boolean;
  readonly module: string;
  readonly imports?: readonly string[];
}

interface Manifest {
  readonly entry: { readonly module: string; readonly imports: readonly string[] };
  readonly routes: Readonly<Record<string, RouteEntry>>;
}

const CLIENT = "apps/web/build/client";
/** Bytes after gzip, of everything a first visit to the route has to load; the first match counts. */
const BUDGETS: readonly (readonly [route: RegExp, bytes: number])[] = [
  // React and the router alone are 107 kB of it, the table of all pages 4 kB; the rest of the frame hydrates after the
  // page.
  [/^\/$/, 126_000],
  // The design documentation shows every component; no other page has to load it.
  [/^\/docs(?:\/|$)/, 300_000],
  // The terminal: what is required before the chart, and with the chart, which hydrates separately.
  [/^\/spot\/\* with chart-engine$/, 380_000],
  [/^\/spot\/\*$/, 250_000],
  // Contracts may weigh 15 kB more than spot, which weighs 249.
  [/^\/(?:futures|delivery|simulated)\/\* with chart-engine$/, 400_000],
  [/^\/(?:futures|delivery|simulated)\/\*$/, 264_000],
  // Operators load the console once a shift; its pages hold tables, dialogs and forms.
  [/^\/operator(?:\/|$)/, 245_000],
  // Menus of markets and kinds of data.
  [/^\/api-docs\/data$/, 235_000],
  [/^\//, 219_000],
];

/** Chunks that a page loads on its own after its first paint, by the start of their names. */
const WAKING: readonly (readonly [route: RegExp, chunk: string])[] = [
  [/\/(?:spot|futures|delivery|simulated)\/\*$/, "chart-engine"],
];

/** The same page under a language prefix weighs the same and may weigh the same. */
const budgetOf = (path: string): number => {
  const bare = path.replace(/^\/[a-z]{2}_[A-Z]{2}(?=\/|$)/, "") || "/";
  return BUDGETS.find(([route]) => route.test(bare))?.[1] ?? 0;
};

const readManifest = (root: string): Manifest | undefined => {
  const assets = join(root, CLIENT, "assets");
  const name = existsSync(assets) ? readdirSync(assets).find((file) => /^manifest-.+\.js$/.test(file)) : undefined;
  if (name === undefined) return undefined;
  const text = readFileSync(join(assets, name), "utf8");
  return JSON.parse(text.slice(text.indexOf("=") + 1).replace(/;\s*$/, "")) as Manifest;
};

/** The scripts a script needs before it can run; what it loads later on demand is not counted. */
const staticImports = (text: string, url: string): readonly string[] =>
  [...text.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{}\s,]+?\s*from\s*)?["'](\.{1,2}\/[^"']+\.js)["']/g)].map(
    ([, path = ""]) => posix.join(posix.dirname(url), path),
  );

/** A chunk that was renamed must not pass as one that weighs nothing. */
const findAsset = (root: string, chunk: string): string => {
  const found = readdirSync(join(root, CLIENT, "assets")).find(
    (file) => file.startsWith(`${chunk}-`) && file.endsWith(".js"),
  );
  if (found === undefined) throw new Error(`the build has no chunk ${chunk}`);
  return found;
};

const pathOf = (routes: Manifest["routes"], route: RouteEntry): string => {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return posix.join(parent === undefined ? "/" : pathOf(routes, parent), route.path ?? "");
};

const lineOf = (routes: Manifest["routes"], route: RouteEntry): readonly RouteEntry[] => {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return parent === undefined ? [route] : [...lineOf(routes, parent), route];
};

/**
 * Compressed bytes of the first load, per route with content. The manifest of all routes is not counted: a page holds
 * the entries of its own line and requests others when a link to them is visible.
 */
export const weighPages = (root: string): ReadonlyMap<string, number> => {
  const manifest = readManifest(root);
  const weights = new Map<string, number>();
  if (manifest === undefined) return weights;
  const known = new Map<string, { readonly bytes: number; readonly needs: readonly string[] }>();
  const look = (url: string) => {
    const found = known.get(url);
    if (found !== undefined) return found;
    const bytes = readFileSync(join(root, CLIENT, url));
    const script = { bytes: gzipSync(bytes).length, needs: staticImports(bytes.toString(), url) };
    known.set(url, script);
    return script;
  };
  const load = (first: string, loaded: Set<string>): void => {
    const queue = [first];
    for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
      if (loaded.has(url)) continue;
      loaded.add(url);
      queue.push(...look(url).needs);
    }
  };
  for (const route of Object.values(manifest.routes)) {
    const queue = [manifest.entry.module, ...manifest.entry.imports];
    for (const { module, imports = [] } of lineOf(manifest.routes, route)) queue.push(module, ...imports);
    const loaded = new Set<string>();
    for (const url of queue) load(url, loaded);
    const sum = () => [...loaded].reduce((bytes, url) => bytes + look(url).bytes, 0);
    const path = pathOf(manifest.routes, route);
    weights.set(path, Math.max(sum(), weights.get(path) ?? 0));
    for (const [, chunk] of WAKING.filter(([pattern]) => pattern.test(path))) {
      load(`/assets/${findAsset(root, chunk)}`, loaded);
      weights.set(`${path} with ${chunk}`, sum());
    }
  }
  return weights;
};

export const checkWeights = (weights: ReadonlyMap<string, number>): readonly string[] =>
  [...weights].flatMap(([path, bytes]) => {
    const budget = budgetOf(path);
    const kilo = (count: number): string => `${(count / 1000).toFixed(1)} kB`;
    return bytes > budget
      ? [`${path}: first load is ${kilo(bytes)} of JavaScript after gzip, allowed are ${kilo(budget)}`]
      : [];
  });
