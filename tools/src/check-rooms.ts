// Owns the rules of folders: in no package do folders import each other in a circle; a service of an area is a class.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** Where folders must form layers; tests and the fixtures they share may reach anywhere. */
const LAYERED = [
  ...["kit", "core", "host", "ui", "sim", "tools", "mutate", "devchain", "bench", "e2e"].map((name) => `${name}/src`),
  "apps/server/src",
  "apps/web/src",
];

/** Not tests and what they share; not an area's `ports.ts`, which is written in the types of the slices that use it. */
const COUNTED = /(?<!\.test|-fixture|\/ports)\.tsx?$/;

/** `#boot/state.ts` is a file of the web app's room `boot`. */
const ALIASES = "apps/web/src";

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*)["']([.#][^"']+)["']/g;

/** One path of folders that leads back to its first for each circle found; every import counts, types too. */
export const checkFolders = (root: string, files: readonly string[]): readonly string[] => {
  const areas = new Set(files.flatMap((path) => /^areas\/[^/]+\/src/.exec(path) ?? []));
  return [...LAYERED, ...areas].flatMap((top) => {
    const sources = files.filter((path) => path.startsWith(`${top}/`) && COUNTED.test(path));
    const folders = new Map<string, Set<string>>();
    for (const path of sources) {
      const folder = dirname(path);
      const reached = folders.get(folder) ?? new Set<string>();
      folders.set(folder, reached);
      for (const [, target = ""] of readFileSync(join(root, path), "utf8").matchAll(IMPORT)) {
        const at = target.startsWith("#") ? posix.join(ALIASES, target.slice(1)) : posix.join(folder, target);
        const other = posix.dirname(at);
        if (other !== folder && other.startsWith(top)) reached.add(other);
      }
    }
    return findCircle(folders).map((circle) => `${circle.join(" → ")}: folders import each other in a circle`);
  });
};

/** The first circle met from each folder, reported once. */
const findCircle = (folders: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] => {
  const done = new Set<string>();
  const circles: string[][] = [];
  const walk = (folder: string, path: readonly string[]): void => {
    if (path.includes(folder)) circles.push([...path.slice(path.indexOf(folder)), folder]);
    if (done.has(folder)) return;
    done.add(folder);
    for (const next of [...(folders.get(folder) ?? [])].sort()) walk(next, [...path, folder]);
  };
  for (const folder of [...folders.keys()].sort()) walk(folder, []);
  return circles;
};

const FACTORY = /^export (?:async )?function (\w+Service)\(/gm;
export const checkServices = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => /^areas\/[^/]+\/src\/.*service\.ts$/.test(path))
    .flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(FACTORY)].map(([, name = ""]) => ({ path, name })),
    )
    .map(({ path, name }) => `${path}: ${name} is a factory; a service is a class with #private members`);
