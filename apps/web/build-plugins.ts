// What the build of the pages does beyond bundling: compresses once, guards the router's reload, gives each page its own
// flags, cuts a language into areas, keeps the component base quiet while it loads and the chart sharp.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";
import { PAGES } from "./src/boot/route-table.ts";

const compressible = /\.(js|css|svg|json|txt|xml|webmanifest)$/;
const COMPRESS_MIN_BYTES = 1024;

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
}

/** Compresses once at build time what would otherwise be compressed at every request. */
export function precompress(): Plugin {
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
      async handler() {
        // A build that failed has left nothing, and its own error is the one to see.
        if (!existsSync(folder)) return;
        const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
        const files = entries.filter((entry) => compressible.test(entry)).map((entry) => join(folder, entry));
        // Side by side on all cores.
        await Promise.all(files.filter((file) => statSync(file).size >= COMPRESS_MIN_BYTES).map(compress));
      },
    },
  };
}

/** The page server is two files: one that renders pages, and one that only maps a request to its page. */
export function nameServerEntries(): Plugin {
  return {
    name: "clockwork:server-entries",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "ssr",
    outputOptions: (options) => ({ ...options, entryFileNames: "[name].js" }),
  };
}

/** A route's file may also export members for other importers; the router takes only the names it recognises. */
export function extendEntries(): Plugin {
  return {
    name: "clockwork:extend-entries",
    apply: "build",
    // The framework sets another value for the client after the project's own settings are read.
    configEnvironment: {
      order: "post",
      handler: (name) =>
        name === "client" ? { build: { rolldownOptions: { preserveEntrySignatures: "allow-extension" } } } : undefined,
    },
  };
}

const RELOAD = "window.location.reload();";

/** Replaces the router's reload: one reload in ten seconds, else a page that fails into the error page. */
const GUARDED = "if (!globalThis.clockworkChunkGuard?.report()) return { default() { throw error; } };";

/** The router reloads without limit when a route's module is gone; SITE-12 allows one reload in ten seconds. */
export function guardRouteReload(): Plugin {
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

/** A page's own line of the route table, as the `handle` of its module: no page has to carry the whole table. */
export function attachPageFlags(): Plugin {
  return {
    name: "clockwork:page-flags",
    enforce: "pre",
    transform(code, id) {
      const file = /[\\/]src[\\/]routes[\\/]([a-z0-9\\/-]+)\.tsx$/.exec(id)?.[1]?.replaceAll("\\", "/");
      const pages = PAGES.filter((page) => page.file === file);
      const flags = pages.map(({ file: _file, words: _words, ...rest }) => rest);
      const [first] = flags;
      if (first === undefined) return undefined;
      // Pages that share a module differ in address, title and place in lists; what surrounds them must be the same.
      const frames = new Set(
        flags.map(({ path: _path, title: _title, hidden: _hidden, ...frame }) => JSON.stringify(frame)),
      );
      if (frames.size > 1) this.error(`${file} stands for pages with different frames; give each a module of its own`);
      if (flags.length > 1 && first.mobileHeader === true) this.error(`${file} has a title of its own for each page`);
      return { code: `${code}\nexport const handle = ${JSON.stringify(first)};\n`, map: null };
    },
  };
}

/** `locales/fr-fr.json?area=auth` is the part of a language that one area of the site needs. */
export function cutLanguages(): Plugin {
  return {
    name: "clockwork:languages",
    enforce: "pre",
    load(id) {
      const [, file, area] = /^(.+[\\/]locales[\\/][a-z-]+\.json)\?area=([a-z-]+)$/.exec(id) ?? [];
      if (file === undefined || area === undefined) return undefined;
      this.addWatchFile(file);
      const words = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      return { code: `export default ${JSON.stringify(words[area] ?? {})};`, moduleType: "js" };
    },
  };
}

const CHECK_LOCALE = /try \{\s*Intl\.DateTimeFormat\.supportedLocalesOf\(\[\s*locale\s*\]\);\s*\} catch\s*\{[^}]*\}/;
const ASK_DIRECTION = "if (Intl.Locale) {";

/**
 * The component base reads the browser's language from `Intl` while it loads, which on a slow processor blocks the page
 * for a tenth of a second. The page passes the language to it, and every one we offer runs left to right.
 */
export function quietComponentLocale(): Plugin {
  const found = new Set<string>();
  return {
    name: "clockwork:quiet-component-locale",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      const file = /react-aria[\\/]dist[\\/]private[\\/]i18n[\\/](useDefaultLocale|utils)\.m?js$/.exec(id)?.[1];
      if (file === undefined) return undefined;
      const quiet = file === "utils" ? code.replace(ASK_DIRECTION, "if (false) {") : code.replace(CHECK_LOCALE, "");
      if (quiet === code) this.error(`The component base no longer asks for its language in ${file}; drop this change`);
      found.add(file);
      return { code: quiet, map: null };
    },
    buildEnd() {
      if (found.size !== 2) this.error("The component base asks for its language elsewhere; see the blocking time");
    },
  };
}

/** A slice's wire contract, and the builders of its schemas. */
const WIRE = /areas[\\/][^\\/]+[\\/]src[\\/].*(?:contract|refusals)\.ts$/;
const BUILDER = /node_modules[\\/]typebox[\\/]/;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Expression extends Span {
  readonly type?: string;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly Span[];
}

interface DeclaredCall extends Span {
  readonly method: Span;
  readonly path: Span;
}

const partsOf = (node: unknown): readonly Expression[] =>
  typeof node === "object" && node !== null ? (Object.values(node) as Expression[]) : [];

const isEndpoint = ({ type, callee }: Expression): boolean => type === "CallExpression" && callee?.name === "endpoint";

/** Each call that is declared in it. */
function callsOf(node: Expression | null): readonly DeclaredCall[] {
  if (node === null || typeof node !== "object") return [];
  if (!isEndpoint(node)) return partsOf(node).flatMap(callsOf);
  const { start, end, arguments: [method, path] = [] } = node;
  return method === undefined || path === undefined ? [] : [{ start, end, method, path }];
}

/** It calls or spreads something: the bundler cannot infer that this has no side effects. */
function makesSomething(node: Expression | null): boolean {
  if (node === null || typeof node !== "object" || isEndpoint(node)) return false;
  return /^(?:Call|New|Spread)/.test(node.type ?? "") || partsOf(node).some(makesSomething);
}

/**
 * A page that uses a slice's declared call, or a list of names of it, would load all of its schemas and their builders,
 * since the bundler cannot infer that building one has no side effects. Of a call it keeps method and path.
 */
export function dropSchemas(): Plugin {
  let count = 0;
  return {
    name: "clockwork:drop-schemas",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (BUILDER.test(id)) return { code, map: null, moduleSideEffects: false };
      if (!WIRE.test(id)) return undefined;
      let text = "";
      let at = 0;
      for (const statement of this.parse(code).body) {
        const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
        if (declared?.type !== "VariableDeclaration") continue;
        for (const { init } of declared.declarations as readonly { readonly init: Expression | null }[]) {
          if (init === null) continue;
          const isMade = /^(?:Call|Object)Expression$/.test(init.type ?? "") && makesSomething(init);
          if (isMade) text += `${code.slice(at, init.start)}/* @__PURE__ */ (() => (`;
          if (isMade) at = init.start;
          const reply = ({ start, end }: Span) => code.slice(start, end);
          for (const { start, end, method, path } of callsOf(init)) {
            text += `${code.slice(at, start)}({ method: ${reply(method)}, path: ${reply(path)} })`;
            at = end;
            count += 1;
          }
          if (!isMade) continue;
          text += `${code.slice(at, init.end)}))()`;
          at = init.end;
          count += 1;
        }
      }
      return { code: text + code.slice(at), map: null, moduleSideEffects: false };
    },
    buildEnd() {
      if (count === 0) this.error("No schema was found in what the slices say on the wire; see what pages weigh");
    },
  };
}

const CHART_PIXELS = /_this\._nextPixel(Width|Height) = size\.(inlineSize|blockSize);/g;

/**
 * The chart's library takes a canvas's size in device pixels from its observer, which some browsers report in plain
 * pixels where the page is scaled: the chart would be blurred. It is never drawn coarser than the screen.
 */
export function sharpenChart(): Plugin {
  let found = 0;
  return {
    name: "clockwork:sharpen-chart",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!/klinecharts[\\/]dist[\\/]index\.esm\.js$/.test(id)) return undefined;
      const sharp = code.replace(CHART_PIXELS, (_whole, side: "Width" | "Height", answer: string) => {
        found += 1;
        const own = side === "Width" ? "_width" : "_height";
        return `_this._nextPixel${side} = Math.max(size.${answer}, Math.floor(_this.${own} * getPixelRatio(_this._element)));`;
      });
      return { code: sharp, map: null };
    },
    buildEnd(error) {
      if (error === undefined && found !== 2)
        this.error("The chart's library sizes its canvases elsewhere; is it sharp without this?");
    },
  };
}
