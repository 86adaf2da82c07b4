// Owns the rule that folders do not import each other in a circle, for the packages that have folders of source.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** Packages whose folders must form layers; tests may reach anywhere. */
const LAYERED = ["core/src"];

/** One path of folders that leads back to its first for each circle found; every import counts, types too. */
export const checkRooms = (root: string, files: readonly string[]): readonly string[] =>
  LAYERED.flatMap((top) => {
    const sources = files.filter((path) => path.startsWith(`${top}/`) && /(?<!\.test)\.tsx?$/.test(path));
    const folders = new Map<string, Set<string>>();
    for (const path of sources) {
      const folder = dirname(path);
      const reached = folders.get(folder) ?? new Set<string>();
      folders.set(folder, reached);
      for (const [, target = ""] of readFileSync(join(root, path), "utf8").matchAll(/\bfrom\s+["'](\.[^"']+)["']/g)) {
        const other = posix.dirname(posix.join(folder, target));
        if (other !== folder && other.startsWith(top)) reached.add(other);
      }
    }
    return findCircle(folders).map((circle) => `${circle.join(" → ")}: folders import each other in a circle`);
  });

/** The first circle met from each folder, told once. */
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
