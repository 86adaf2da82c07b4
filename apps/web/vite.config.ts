// How the browser and the page server are bundled. The server bundle is whole: it needs nothing installed to run.
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import {
  attachPageFlags,
  cutLanguages,
  dropSchemas,
  extendEntries,
  guardRouteReload,
  nameServerEntries,
  precompress,
  quietComponentLocale,
  sharpenChart,
} from "./build-plugins.ts";
import { CHUNKS } from "./chunk-plan.ts";

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    attachPageFlags(),
    cutLanguages(),
    reactRouter(),
    extendEntries(),
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
