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

const CHUNKS = [
  // What never changes between releases.
  { name: "vendor", test: VENDOR, priority: 2 },
  { name: nameChunk(), debugName: "shared", priority: 1 },
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
      build: { rolldownOptions: { input: { index: "./src/server.ts", question: "./src/question.ts" } } },
      ...(command === "build" ? { resolve: { noExternal: true as const } } : {}),
    },
  },
  ...(command === "build" ? { define: { "process.env.NODE_ENV": JSON.stringify("production") } } : {}),
}));
