// Owns the server's build: strips and joins our own TypeScript once, so a start reads a dozen files instead of
// hundreds. External packages are not bundled, except one of hundreds of small files that several threads read. Every
// thread gets its own file in one flat folder.
import { globSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { inlineRecords } from "./inline-records.ts";
import { moveWorkers } from "./worker-places.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "apps/server/src");
const OUTPUT = join(ROOT, "apps/server/build");

const nameOf = (path: string): string => basename(path, ".ts");

/** Every file that becomes a separate process or thread. */
const entries = (): Record<string, string> => {
  const workers = globSync(
    ["apps/server/src/**/*-worker.ts", "areas/*/src/**/*-worker.ts", "devchain/src/*-worker.ts"],
    { cwd: ROOT },
  );
  const input: Record<string, string> = {};
  for (const path of ["apps/server/src/process/main.ts", "apps/server/src/process/cli.ts", ...workers]) {
    const full = join(ROOT, path);
    if (globSync(full).length === 0) continue;
    const name = nameOf(path);
    if (input[name] !== undefined) throw new Error(`Two server entries are named ${name}: ${input[name]} and ${full}.`);
    input[name] = full;
  }
  return input;
};

/**
 * The build is one flat folder next to the sources: a worker is found next to its parent, and a file directly in src is
 * as far from the root as its bundle. Deeper files may not use their own path, which differs in the bundle.
 */
const keepPlaces = (): Plugin => ({
  name: "keep-places",
  transform(code, id) {
    if (!id.startsWith(ROOT) || !id.endsWith(".ts") || !code.includes("import.meta.")) return undefined;
    if (dirname(id) !== SOURCE && /import\.meta\.(?:dirname|filename)/.test(code)) {
      throw new Error(
        `${relative(ROOT, id)} asks for its own folder, which differs in the build; take it as an argument.`,
      );
    }
    return {
      code: moveWorkers(code, (worker) => `new URL("./${worker}.js", import.meta.url)`),
      map: null,
    };
  },
});

const bundle = await rolldown({
  cwd: ROOT,
  input: entries(),
  platform: "node",
  external: (id) => !/^(?:[./]|@clockwork\/|kysely$)/.test(id),
  plugins: [keepPlaces(), inlineRecords()],
  // The core's offsets are constants of other modules; left as variables they halve its speed.
  optimization: { inlineConst: { mode: "all", pass: 3 } },
  onLog: (level, log) => {
    if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
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
