// How the browser and the page server are bundled. The server bundle is whole: it needs nothing installed to run.
import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import {
  attachPageFlags,
  cutLanguages,
  dropSchemas,
  guardRouteReload,
  nameServerEntries,
  precompress,
  quietComponentLocale,
  sharpenChart,
} from "./build-plugins.ts";
import { PAGES } from "./src/boot/route-table.ts";

const SOURCE = join(import.meta.dirname, "src");
const VENDOR = /node_modules[\\/](react|react-dom|react-router|scheduler|zustand)[\\/]/;

interface ModuleGraph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** Everything the named files need before they can run. What they load later is not in it. */
function reach(graph: ModuleGraph, files: readonly string[]): ReadonlySet<string> {
  const found = new Set(files.map((file) => join(SOURCE, file)));
  for (const id of found) {
    for (const needed of graph.getModuleInfo(id)?.importedIds ?? []) found.add(needed);
  }
  return found;
}

/**
 * A few shared chunks instead of a hundred crumbs, in the order a visit needs them: what every page needs to wake, the
 * ordinary layout, and what wakes after the page. A module goes to the first that needs it, so none grows by a page that
 * is not open.
 */
const SHARED = [
  {
    name: "frame",
    files: ["entry.client.tsx", "root.tsx", "routes/gate.tsx", "shell/page-head.tsx", "boot/payload.ts"],
  },
  { name: "layout", files: ["routes/default-layout.tsx"] },
  // What both a page and what wakes after it draw with: a page must not have to wait for menus and footer.
  // Named to sort after `layout`: groups are filled by name, and an earlier one would take what every page needs first.
  { name: "pieces", files: ["../../../ui/src/icon.tsx", "session/settings.ts", "session/login-path.ts"] },
  {
    name: "site",
    files: [
      "shell/header-nav.tsx",
      "shell/site-footer.tsx",
      "shell/bottom-bar.tsx",
      "shell/notice.tsx",
      "session/gate-pass.ts",
      "shell/loading-bar-machine.ts",
    ],
  },
  // The market's and one's own streams: the terminal wants all of them, the others little more than half.
  { name: "feeds", files: ["live/feeds/market-feeds.ts", "live/feeds/spot-feeds.ts"] },
] as const;

function nameChunk(): (id: string, graph: ModuleGraph) => string | null {
  let sets: readonly (readonly [string, ReadonlySet<string>])[] | undefined;
  return (id, graph) => {
    sets ??= SHARED.map(({ name, files }) => [name, reach(graph, files)]);
    return sets.find(([, reached]) => reached.has(id))?.[0] ?? null;
  };
}

const TERMINALS = ["spot", "futures", "delivery", "simulated"].map((name) => `routes/${name}.tsx`);
const HOME = "routes/home.tsx";

interface Shares {
  /** Of the home page and of others. */
  readonly quotes: (id: string) => boolean;
  /** Of a terminal and of sign-in: fields and what they are made of. */
  readonly fields: (id: string) => boolean;
}

function sharePages(graph: ModuleGraph): Shares {
  const others = PAGES.map(({ file }) => `routes/${file}.tsx`).filter((file) => file !== HOME);
  const home = reach(graph, [HOME]);
  const elsewhere = reach(graph, others);
  const terminal = reach(graph, TERMINALS);
  const login = reach(graph, ["routes/auth/login.tsx"]);
  return {
    quotes: (id) => home.has(id) && elsewhere.has(id),
    fields: (id) => terminal.has(id) && login.has(id),
  };
}

let shares: Shares | undefined;

function nameShare(name: keyof Shares): (id: string, graph: ModuleGraph) => string | null {
  return (id, graph) => {
    shares ??= sharePages(graph);
    return shares[name](id) ? name : null;
  };
}

const CHUNKS = [
  // What never changes between releases.
  { name: "vendor", test: VENDOR, priority: 6 },
  { name: nameChunk(), debugName: "shared", priority: 5 },
  // In this order: a chunk takes along what its modules need, but for what one before it has.
  { name: nameShare("quotes"), priority: 4 },
  { name: nameShare("fields"), priority: 3 },
];

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    attachPageFlags(),
    cutLanguages(),
    reactRouter(),
    guardRouteReload(),
    nameServerEntries(),
    quietComponentLocale(),
    dropSchemas(),
    sharpenChart(),
    precompress(),
  ],
  // Found before the first page: a package met later would send every open page through a reload.
  optimizeDeps: { entries: ["src/**/*.{ts,tsx}", "../../ui/src/**/*.{ts,tsx}", "!**/*.test.{ts,tsx}"] },
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
    ssr: {
      build: {
        rolldownOptions: {
          input: { index: "./src/server.ts", question: "./src/question.ts" },
        },
      },
      ...(command === "build" ? { resolve: { noExternal: true as const } } : {}),
    },
  },
  ...(command === "build" ? { define: { "process.env.NODE_ENV": JSON.stringify("production") } } : {}),
}));
