// Owns what is built before a start and when it may be skipped: a hash over the sources is kept next to each output.
// Must run on Node 20 without any dependency; the builders themselves run on the pinned Node.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runQuietly } from "./child.mjs";
import { print, Refusal, step } from "./progress.mjs";

/**
 * @typedef {{ name: string, title: string, sources: readonly string[], output: string, proof: string,
 *   command: (root: string) => { cwd: string, args: readonly string[] } }} Target
 */

const SKIPPED = new Set(["node_modules", "build", ".react-router", ".cache", "data"]);

/** @type {Target} */
const WEB = {
  name: "web",
  title: "Building the web app",
  sources: [
    "apps/web",
    "ui",
    "kit",
    "areas",
    "content",
    "package-lock.json",
    "tsconfig.base.json",
    "tsconfig.web.json",
  ],
  output: "apps/web/build",
  proof: "apps/web/build/server/index.js",
  command: (root) => ({
    cwd: join(root, "apps/web"),
    args: [join(root, "node_modules/@react-router/dev/bin.cjs"), "build", "--logLevel", "warn"],
  }),
};

/** @type {Target} */
const SERVER = {
  name: "server",
  title: "Building the server",
  sources: [
    "apps/server",
    "areas",
    "devchain",
    "host",
    "core",
    "sim",
    "kit",
    "package-lock.json",
    "tools/src/bundle.ts",
  ],
  output: "apps/server/build",
  proof: "apps/server/build/main.js",
  command: (root) => ({ cwd: root, args: [join(root, "tools/src/bundle.ts")] }),
};

/** @param {string} path */
const isSource = (path) => !/\.test\.tsx?$|(?:^|\/)\.[^/]+$/.test(path);

/** The browser sees only the contract of a slice: a change of a service is no reason to build the pages again. @param {string} path */
const isSeenByWeb = (path) => !path.startsWith("areas/") || /\/contract\.ts$/.test(path);

/** @param {string} root @param {string} path @returns {string[]} */
const filesBelow = (root, path) => {
  if (!existsSync(join(root, path))) return [];
  /** @type {string[]} */
  const found = [];
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesBelow(root, below));
    else if (entry.isFile() && isSource(below)) found.push(below);
  }
  return found;
};

/** @param {string} root @param {Target} target */
const hashTarget = (root, target) => {
  const files = target.sources.flatMap((source) =>
    /\.[a-z]+$/.test(source) ? [source].filter((path) => existsSync(join(root, path))) : filesBelow(root, source),
  );
  const hash = createHash("sha256");
  for (const path of files.filter((file) => target.name !== "web" || isSeenByWeb(file)).sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
};

/** @param {Target} target */
const stampOf = (target) => join(target.output, ".clockwork-sources");

/**
 * The targets whose output is missing or was made of other sources, with the hash to remember.
 * @param {string} root
 * @param {ReadonlyArray<"web" | "server">} names
 */
export const stale = (root, names) =>
  [WEB, SERVER]
    .filter(({ name }) => names.some((wanted) => wanted === name))
    .map((target) => ({ target, hash: hashTarget(root, target) }))
    .filter(({ target, hash }) => {
      const stamp = join(root, stampOf(target));
      if (!existsSync(join(root, target.proof)) || !existsSync(stamp)) return true;
      return readFileSync(stamp, "utf8") !== hash;
    });

/** @param {string} root @param {Target} target @param {string} hash */
export const remember = (root, target, hash) => {
  const stamp = join(root, stampOf(target));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
};

/** @param {string} root @param {string} node @param {ReadonlyArray<"web" | "server">} names */
export const build = async (root, node, names) => {
  for (const { target, hash } of stale(root, names)) {
    await step(target.title, async () => {
      const { cwd, args } = target.command(root);
      rmSync(join(root, target.output), { recursive: true, force: true });
      const env = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };
      const { code, output } = await runQuietly(node, args, { cwd, env });
      if (code !== 0) {
        print(output);
        throw new Refusal(`${target.title} failed (exit code ${code}): see the lines above.`);
      }
      if (!existsSync(join(root, target.proof))) throw new Refusal(`${target.title} left no ${target.proof}.`);
    });
    remember(root, target, hash);
  }
};
