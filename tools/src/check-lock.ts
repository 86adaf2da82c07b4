// Owns the soundness of package-lock.json: it installs anywhere, from any registry, with the binaries of every platform.
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where npm would find a package required from inside `from`: the nearest node_modules going up. */
const resolveEntry = (entries: Readonly<Record<string, Entry>>, from: string, name: string): Entry | undefined => {
  for (let place = from; ; ) {
    const found = entries[`${place === "" ? "" : `${place}/`}node_modules/${name}`];
    if (found !== undefined || place === "") return found;
    const at = place.lastIndexOf("/node_modules/");
    place = at >= 0 ? place.slice(0, at) : "";
  }
};

const EXACT = /^[0-9]+\.[0-9]+\.[0-9]+(?:-[\w.]+)?$/;

export const checkLockEntries = (entries: Readonly<Record<string, Entry>>): readonly string[] =>
  Object.entries(entries).flatMap(([path, entry]) => {
    const problems: string[] = [];
    if (/^(?:https?|git)/.test(entry.resolved ?? "")) problems.push(`${path}: names the address it came from`);
    if (path.includes("node_modules/") && entry.link !== true && entry.integrity === undefined) {
      problems.push(`${path}: has no integrity`);
    }
    for (const [name, wanted] of Object.entries(entry.optionalDependencies ?? {})) {
      const found = resolveEntry(entries, path, name);
      if (found === undefined)
        problems.push(
          `${path}: its optional ${name} ${wanted} is not in the lock file, so that platform would miss it`,
        );
      else if (EXACT.test(wanted) && found.version !== wanted)
        problems.push(`${path}: wants ${name} ${wanted}, the lock file has ${found.version}`);
    }
    return problems;
  });

export const checkLock = (root: string): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Entry>;
  };
  return checkLockEntries(packages);
};

/** Direct dependencies are pinned exactly: the parts were tried together. */
export const checkPins = (root: string, files: readonly string[]): readonly string[] =>
  files
    .filter((path) => /(?:^|\/)package\.json$/.test(path))
    .flatMap((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Record<
        string,
        Record<string, string> | undefined
      >;
      return ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
        Object.entries(manifest[kind] ?? {})
          .filter(([, version]) => !EXACT.test(version))
          .map(([name, version]) => `${path}: ${name} is ${version}; pin one version`),
      );
    });
