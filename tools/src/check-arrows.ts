// Owns the direction of imports: a package imports what its package.json lists, by name; within a package folders
// import each other in one direction, and some boundaries exist inside packages.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

interface Package {
  readonly name: string;
  readonly folder: string;
  /** Of ours, what its dependencies list; what tests alone import is listed apart. */
  readonly imports: ReadonlySet<string>;
  readonly testImports: ReadonlySet<string>;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What `from` may not import although its package lists it: both are paths below the root, or the name of a library. */
interface Wall {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly why: string;
}

const LOWER_FOLDERS = "boot|clients|console|native|session|shell|words";

const WALLS: readonly Wall[] = [
  {
    from: /^core\/src\/book\//,
    to: /^core\/src\/(?:ledger|perp|spot|trigger)\/|^core\/src\/machine\.ts$/,
    why: "the book knows prices and priority, not ledger, settlement or triggers",
  },
  {
    from: /^core\/src\/ledger\//,
    to: /^core\/src\/(?:book|perp|spot|trigger)\/|^core\/src\/machine\.ts$/,
    why: "the ledger knows balances, not what trades on them",
  },
  {
    from: /^areas\/[^/]+\/src\/[^/]+\/(?:contract|refusals)\.ts$/,
    to: /^(?!kit\/|typebox(?:\/|$)|core\/src\/protocol\/rejection\.ts$|host\/src\/(?:claimant|engine)\.ts$|areas\/[^/]+\/src\/[^/]+\/(?:contract|refusals)\.ts$)/,
    why: "a contract reaches the browser: it imports kit, typebox, what core and host refuse, and other contracts",
  },
  {
    from: /^apps\/server\/src\/engine\//,
    to: /^areas\/|^sim\/|^apps\/server\/src\/(?:http|socket|jobs|projectors)\/|\/(?:compose|main)\.ts$/,
    why: "the engine knows no gateway and no product",
  },
  {
    from: /^apps\/server\//,
    to: /^sim\/(?!src\/market\/)/,
    why: "of sim the server imports the simulated market alone",
  },
  {
    from: /^apps\/web\//,
    to: /^areas\/(?![^/]+\/src\/[^/]+\/contract\.ts$)/,
    why: "the browser reaches a slice through its contract",
  },
  {
    from: /^apps\/web\/src\/live\//,
    to: /^ui\/|^apps\/web\/src\/(?:routes|features)\//,
    why: "live knows no screen",
  },
  {
    from: /^apps\/web\/src\/trade\//,
    to: /^areas\/(?!trading\/src\/(?:markets|orders)\/contract\.ts$)|^apps\/web\/src\/(?:routes|features|console|live\/feeds\/spot-feeds\.ts)/,
    why: "trade knows no product: ui, kit and the shapes of market data",
  },
  {
    from: new RegExp(`^apps/web/src/(?:${LOWER_FOLDERS})/`),
    to: /^apps\/web\/src\/(?:routes|features|trade)\//,
    why: "this folder lies below trade, features and routes",
  },
  { from: /^apps\/web\/src\/features\//, to: /^apps\/web\/src\/routes\//, why: "features lie below the routes" },
];

const IMPORT = /(?:^(?:import|export|\}).*?\bfrom |^import |\bimport\(\s*)["']([^"'\n]+)["']/gm;
const FEATURE = /^apps\/web\/src\/features\/([^/]+)\//;

/** Tests of an area and what they share start the whole server, and users of any product. */
const TEST_SUPPORT = /\.test\.tsx?$|-(?:fixture|soak|load)\.ts$|\/soak\//;

/** Every import that points the wrong way, and every package that lists another in a circle. */
export const checkArrows = (root: string, files: readonly string[]): readonly string[] => {
  const packages = readPackages(root, files);
  const problems = [...findCircles(packages)];
  for (const path of files.filter((file) => /\/src\/.+\.(?:ts|tsx|mjs)$/.test(file))) {
    const own = packages.find(({ folder }) => path.startsWith(`${folder}/`));
    if (own === undefined) continue;
    const isTest = TEST_SUPPORT.test(path);
    for (const [, target = ""] of readFileSync(join(root, path), "utf8").matchAll(IMPORT)) {
      const why = judge(path, target, own, packages, isTest);
      if (why !== undefined) problems.push(`${path} [arrow] imports ${target}: ${why}`);
    }
  }
  return problems;
};

function judge(
  path: string,
  target: string,
  own: Package,
  packages: readonly Package[],
  isTest: boolean,
): string | undefined {
  const to = resolve(path, target, packages);
  if (target.startsWith(".") && !to.startsWith(`${own.folder}/`)) return "cross a package by its name, never by a path";
  const other = target.startsWith("@clockwork/") ? packages.find(({ name }) => target.startsWith(`${name}/`)) : own;
  if (other === undefined) return "no such package";
  if (isTest && /^(?:areas|host|apps\/server)\//.test(path) && /^(?:areas|apps\/server)\//.test(to)) return undefined;
  if (other !== own && !own.imports.has(other.name) && !(isTest && own.testImports.has(other.name)))
    return `${own.folder}/package.json does not list ${other.name}`;
  const feature = FEATURE.exec(path)?.[1];
  const reached = FEATURE.exec(to)?.[1];
  if (feature !== undefined && reached !== undefined && feature !== reached)
    return "a feature imports no other feature";
  return WALLS.find((wall) => wall.from.test(path) && wall.to.test(to))?.why;
}

/** The file an import names, as a path below the root; a library's name is unchanged. */
function resolve(path: string, target: string, packages: readonly Package[]): string {
  if (target.startsWith(".")) return posix.join(posix.dirname(path), target);
  if (target.startsWith("#")) return posix.join("apps/web/src", target.slice(1));
  const named = packages.find(({ name }) => target.startsWith(`${name}/`));
  return named === undefined ? target : `${named.folder}/src/${target.slice(named.name.length + 1)}.ts`;
}

const readPackages = (root: string, files: readonly string[]): readonly Package[] =>
  files
    .filter((path) => path.endsWith("/package.json"))
    .map((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
      const imports = new Set(Object.keys(manifest.dependencies ?? {}));
      const testImports = new Set(Object.keys(manifest.devDependencies ?? {}));
      return { name: manifest.name, folder: posix.dirname(path), imports, testImports };
    });

function findCircles(packages: readonly Package[]): readonly string[] {
  const reaches = (from: Package, wanted: string, seen: Set<string>): boolean =>
    [...from.imports].some((name) => {
      if (name === wanted) return true;
      if (seen.has(name)) return false;
      seen.add(name);
      const next = packages.find((other) => other.name === name);
      return next !== undefined && reaches(next, wanted, seen);
    });
  return packages
    .filter((one) => reaches(one, one.name, new Set()))
    .map(({ name, folder }) => `${folder}/package.json [arrow] ${name} is listed by what it lists`);
}
