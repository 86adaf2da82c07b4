// Owns `npm start -- --fresh`: empties the data folder, and only a folder that is certainly ours and not in use.
// Without a prompt; when in doubt it refuses with one line, since it removes users' balances.
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

const MARK = "clockwork.lock";
const OUTSIDERS = [".git", "package.json", "node_modules", ".bashrc", "etc"];

export type Fresh = { readonly state: "nothing" | "emptied" } | { readonly state: "refused"; readonly reason: string };

const SQLITE_BUSY = 5;

const isInUse = (folder: string): boolean => {
  // The same record lock the server holds: the kernel drops it with the process, so a leftover file is no obstacle.
  const database = new DatabaseSync(join(folder, MARK), { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return true;
    throw error;
  } finally {
    database.close();
  }
};

const holds = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === "" || (path !== ".." && !path.startsWith(`..${sep}`) && !path.startsWith(sep));
};

export const emptyFolder = (given: string, root: string): Fresh => {
  const refused = (why: string): Fresh => ({ state: "refused", reason: `--fresh leaves ${given} alone: ${why}.` });
  if (!existsSync(given)) return { state: "nothing" };
  const folder = realpathSync(given);
  const names = readdirSync(folder);
  if (names.length === 0) return { state: "nothing" };
  if ([realpathSync(root), realpathSync(homedir())].some((kept) => holds(folder, kept))) {
    return refused("it holds more than data");
  }
  if (!names.includes(MARK)) return refused(`it has no ${MARK}, so it was not made by Clockwork; remove it by hand`);
  const outsider = OUTSIDERS.find((name) => names.includes(name));
  if (outsider !== undefined) return refused(`it holds ${outsider}, which is not ours`);
  try {
    if (isInUse(folder)) return refused("a running Clockwork uses it; stop that first");
  } catch {
    return refused(`its ${MARK} is not one of ours; remove it by hand`);
  }
  // The mark goes last: an interrupted removal can be repeated. The folder itself remains, it may be a mounted volume.
  for (const name of [...names.filter((one) => one !== MARK), MARK])
    rmSync(join(folder, name), { recursive: true, force: true });
  return { state: "emptied" };
};

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  const { loadConfig } = (await import(pathToFileURL(join(root, "host/src/settings/config.ts")).href)) as {
    loadConfig(): { readonly config: { readonly folder: string; readonly mode: string } };
  };
  const { folder, mode } = loadConfig().config;
  const result: Fresh =
    mode === "production"
      ? { state: "refused", reason: "--fresh is refused in production: it would remove users' balances." }
      : emptyFolder(folder, root);
  if (result.state === "emptied") process.stdout.write(`✓ Emptied the data folder ${folder}\n`);
  if (result.state === "refused") {
    process.stderr.write(`${result.reason}\n`);
    process.exitCode = 1;
  }
}
