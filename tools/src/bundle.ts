// Owns the server's build: strips and joins our own TypeScript once, so a start reads a dozen files instead of hundreds.
// Packages of others stay outside; whatever code asks for its own place still sees the place of its source file.
import { globSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Plugin, rolldown } from "rolldown";

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "apps/server/src");
const OUTPUT = join(ROOT, "apps/server/build");

const nameOf = (path: string): string => basename(path, ".ts");

/** Every file that becomes a process or a thread of its own. */
const entries = (): Record<string, string> => {
  const found = ["main.ts", "cli.ts", ...globSync("**/*-worker.ts", { cwd: SOURCE })];
  const input: Record<string, string> = {};
  for (const path of found) {
    const full = join(SOURCE, path);
    if (globSync(full).length === 0) continue;
    const name = nameOf(path);
    if (input[name] !== undefined) throw new Error(`Two server entries are named ${name}: ${input[name]} and ${full}.`);
    input[name] = full;
  }
  return input;
};

const WORKER = /new URL\(\s*["']([^"']+-worker)\.ts["']\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/** Workers are found in the build; all other places (migrations, pages) stay where the sources are. */
const keepPlaces = (): Plugin => ({
  name: "keep-places",
  transform(code, id) {
    if (!id.endsWith(".ts") || !code.includes("import.meta.")) return undefined;
    const path = relative(OUTPUT, id);
    // Added to the build's own folder as text, not as a URL: a folder name may hold spaces.
    const below = (place: string): string => `(import.meta.__folder + ${JSON.stringify(`/${place}`)})`;
    const kept = code
      .replace(WORKER, (_whole, worker: string) => `new URL("./${basename(worker)}.js", import.meta.__build)`)
      .replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.__build).href`)
      .replaceAll("import.meta.dirname", below(dirname(path)))
      .replaceAll("import.meta.filename", below(path))
      .replaceAll("import.meta.__build", "import.meta.url")
      .replaceAll("import.meta.__folder", "import.meta.dirname");
    return { code: kept, map: null };
  },
});

const bundle = await rolldown({
  cwd: ROOT,
  input: entries(),
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@clockwork/"),
  plugins: [keepPlaces()],
  onLog: (level, log) => {
    if (level !== "debug" && level !== "info") process.stderr.write(`${log.message}\n`);
  },
});
await bundle.write({
  dir: OUTPUT,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunk-[hash].js",
  sourcemap: true,
});
await bundle.close();
