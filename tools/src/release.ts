// Owns `npm run release`: an archive that runs without a build and without npm, for this system: the built server and pages,
// the packages they load, the pinned Node, the sources that a journal is named by, texts, migrations and deployment files.
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "./child.mjs";
import { listFiles } from "./files.ts";
import { print, step } from "./progress.mjs";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Of a clone: what no running exchange reads. */
const LEFT_OUT =
  /^(?:bench|e2e|mutate|tools|examples|docs\/pictures)\/|\.test\.tsx?$|^(?:biome|knip|tsconfig|vitest)|^\.git/;
/** Packages of development alone: hot reload. */
const DEVELOPMENT = new Set(["vite"]);
const BUILT = ["apps/server/build", "apps/web/build"];

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** As Node finds it from a folder; undefined where it is not installed, such as one for another system. */
const findPackage = (root: string, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    if (existsSync(join(path, "package.json"))) return path;
    if (folder === root) return undefined;
  }
};

const namesOf = (manifest: Manifest): readonly string[] => {
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.optionalDependencies ?? {}), ...peers];
};

/** The folders of all packages that the built server and the built pages may load. */
export const listPackages = (root: string): readonly string[] => {
  const areas = readdirSync(join(root, "areas"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const own = [
    "kit",
    "core",
    "host",
    "sim",
    "devchain",
    ...areas.map(({ name }) => `areas/${name}`),
    "apps/server",
    "apps/web",
  ];
  const found = new Set<string>();
  // Our own packages are bundled: what they need is looked for from where the bundle is.
  const waiting: (readonly [from: string, name: string])[] = own.flatMap((name) => {
    const from = join(root, name === "apps/web" ? name : "apps/server");
    return namesOf(readManifest(join(root, name))).map((needed) => [from, needed] as const);
  });
  waiting.push([root, `node-${process.platform}-${process.arch}`]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, name] = next;
    if (name.startsWith("@clockwork/") || DEVELOPMENT.has(name)) continue;
    const path = findPackage(root, from, name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    for (const needed of namesOf(readManifest(path))) waiting.push([path, needed]);
  }
  return [...found].map((path) => relative(root, path)).sort();
};

const copyFolder = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // A package's own packages are copied where they are needed.
    if (entry.name === "node_modules") continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
};

const linkOrCopy = (source: string, target: string): void => {
  try {
    linkSync(source, target);
  } catch {
    // Another disk.
    cpSync(source, target);
  }
};

/** Puts the archive's files into an empty folder, as links where that is possible. */
export const stageRelease = (root: string, target: string): void => {
  for (const path of listFiles(root)) {
    if (LEFT_OUT.test(path)) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    linkOrCopy(join(root, path), join(target, path));
  }
  for (const path of [...BUILT, ...listPackages(root)]) copyFolder(join(root, path), join(target, path));
};

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const name = `clockwork-${version}-${process.platform}-${process.arch}`;
  const folder = resolve(process.argv[2] ?? join(root, "build"));
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(folder, ".stage-"));
  try {
    await step(`Collecting ${name}`, async () => stageRelease(root, join(stage, name)));
    for (const program of readdirSync(join(stage, name, "deploy/bin")))
      chmodSync(join(stage, name, "deploy/bin", program), 0o755);
    const archive = join(folder, `${name}.tar.gz`);
    const order = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    const code = await run("tar", ["-C", stage, ...order, "-czf", archive, name], { cwd: root });
    if (code !== 0) process.exitCode = 1;
    else print(`✓ ${archive}`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
