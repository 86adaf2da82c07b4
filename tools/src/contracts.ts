// Owns the committed contracts: docs/openapi.json and docs/events.json are what the running code says, byte for byte.
// Asks the server in a process of its own, so that tools import no package.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runQuietly } from "./child.mjs";

const PROBE = "tools/src/contract-probe.ts";
const SOURCES = ["apps/server/src/process/compose.ts", "core/src/protocol/event.ts"];
const CONTRACTS = [
  { name: "openapi", path: "docs/openapi.json" },
  { name: "events", path: "docs/events.json" },
] as const;

/** What the code says now, as the text to commit. */
const regenerate = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  if (!SOURCES.every((path) => existsSync(join(root, path)))) return texts;
  const { code, output } = await runQuietly(process.execPath, [PROBE], { cwd: root });
  if (code !== 0) throw new Error(`${PROBE} ended with exit code ${code}:\n${output}`);
  const said = JSON.parse(output) as Readonly<Record<string, unknown>>;
  for (const { name, path } of CONTRACTS) {
    if (said[name] !== undefined) texts.set(path, `${JSON.stringify(said[name], undefined, 2)}\n`);
  }
  return texts;
};

/** A committed contract that is not what the code says, in either direction. */
export const compareContracts = (root: string, texts: ReadonlyMap<string, string>): readonly string[] =>
  CONTRACTS.flatMap(({ path }) => {
    const committed = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    if (committed === texts.get(path)) return [];
    return [`${path} is not what the code says: run npm run contracts and review the difference`];
  });

export const checkContracts = async (root: string): Promise<{ problems: readonly string[]; note?: string }> => {
  try {
    const texts = await regenerate(root);
    const problems = compareContracts(root, texts);
    return texts.size === 0 ? { problems, note: "no contract yet" } : { problems };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
};

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  const texts = await regenerate(root);
  for (const [path, text] of texts) {
    writeFileSync(join(root, path), text);
    process.stdout.write(`✓ ${path}\n`);
  }
  if (texts.size === 0) process.stdout.write(`Nothing to write: ${SOURCES.join(" and ")} do not exist yet.\n`);
}
