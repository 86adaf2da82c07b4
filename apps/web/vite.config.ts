// How the browser and the page server are bundled. The server bundle is whole: it needs nothing installed to run.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

const compressible = /\.(js|css|svg|json|txt|xml|webmanifest)$/;
const COMPRESS_MIN_BYTES = 1024;

/** Compresses once at build time what would otherwise be compressed at every request. */
function precompress(): Plugin {
  let folder = "";
  return {
    name: "clockwork:precompress",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    configResolved: (config) => {
      folder = join(config.root, "build", "client");
    },
    closeBundle: {
      order: "post",
      handler() {
        for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
          const file = join(folder, entry);
          if (!compressible.test(entry) || statSync(file).size < COMPRESS_MIN_BYTES) continue;
          const bytes = readFileSync(file);
          writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
          writeFileSync(
            `${file}.br`,
            brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
          );
        }
      },
    },
  };
}

const RELOAD = "window.location.reload();";

/** What stands in for the router's reload: one reload in ten seconds, else a page that fails into the error page. */
const GUARDED = "if (!globalThis.clockworkChunkGuard?.report()) return { default() { throw error; } };";

/** The router reloads without limit when a route's module is gone; SITE-12 allows one reload in ten seconds. */
function guardRouteReload(): Plugin {
  let found = false;
  return {
    name: "clockwork:guard-route-reload",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!id.endsWith("/dom/ssr/routeModules.js")) return undefined;
      if (!code.includes(RELOAD)) this.error("The router's reload is not where it was; see SITE-12");
      found = true;
      return { code: code.replace(RELOAD, GUARDED), map: null };
    },
    buildEnd() {
      if (!found) this.error("The router's route loader was not bundled as expected; see SITE-12");
    },
  };
}

const IN_FRAME = /(apps[\\/]web[\\/]src[\\/](frame|shell|locales|route-table)|[\\/]kit[\\/]src[\\/])/;
/** Panels of the frame that are fetched when somebody opens them. */
const ON_DEMAND =
  /frame[\\/](settings-|modal|search-|mobile-menu|clients\.|auth-(?!context)|account-)|locales[\\/][a-z-]+-(auth|account)|shell[\\/]bridge|kit[\\/]src[\\/](validate|id|time|format|money|account|mail-domains|countries)/;

/** Two shared chunks instead of a dozen crumbs: what never changes between releases, and the site frame. */
const CHUNKS = [
  { name: "vendor", test: /node_modules[\\/](react|react-dom|react-router|scheduler|zustand)[\\/]/, priority: 2 },
  {
    name: "frame",
    test: (id: string) => IN_FRAME.test(id) && !ON_DEMAND.test(id),
    priority: 1,
    minShareCount: 2,
  },
];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), guardRouteReload(), precompress()],
  build: { target: "es2022", assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
    ssr: {
      build: { rolldownOptions: { input: "./src/server.ts" } },
      ...(command === "build" ? { resolve: { noExternal: true as const } } : {}),
    },
  },
  ...(command === "build" ? { define: { "process.env.NODE_ENV": JSON.stringify("production") } } : {}),
}));
