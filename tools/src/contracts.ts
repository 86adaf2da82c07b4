// Owns the committed contracts: docs/openapi.txt (one line with a hash per HTTP operation) and docs/events.json equal
// those of the running code, byte for byte. `npm run contracts` also writes the OpenAPI documents, by audience and
// area, as build artefacts. Loads the server in a separate process, so that tools import no package.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runQuietly } from "./child.mjs";

const PROBE = "tools/src/contract-probe.ts";
const SOURCES = ["apps/server/src/process/compose.ts", "core/src/protocol/event.ts"];
const OPENAPI = "docs/openapi.txt";
const EVENTS = "docs/events.json";
const COMMITTED = [OPENAPI, EVENTS] as const;
const ARTEFACTS = "build/openapi";
const HASH_LENGTH = 16;

type Operation = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [rest: string]: unknown;
}

interface Contracts {
  readonly openapi: OpenApi;
  readonly events: unknown;
}

const operationsOf = ({ paths }: OpenApi): readonly (readonly [path: string, method: string, operation: Operation])[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
  );

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, HASH_LENGTH);

/** One line per operation: a change of the wire shows as the lines of the operations it touches. */
export const describeOpenApi = (document: OpenApi): string => {
  const { paths: _, ...rest } = document;
  const lines = operationsOf(document).map(
    ([path, method, operation]) =>
      `${hash(operation)} ${operation["x-audience"]} ${operation["x-area"]} ${method.toUpperCase()} ${path}`,
  );
  return `${[`${hash(rest)} document`, ...lines].join("\n")}\n`;
};

export const findUnplaced = (document: OpenApi): readonly string[] =>
  operationsOf(document).flatMap(([path, method, operation]) =>
    operation["x-area"] === undefined
      ? [`${method.toUpperCase()} ${path}: its tag is in no area of apps/server/src/http/openapi-groups.ts`]
      : [],
  );

/** The whole document, and one for each audience and area. */
export const splitOpenApi = (document: OpenApi): ReadonlyMap<string, OpenApi> => {
  const parts = new Map<string, OpenApi>([["openapi.json", document]]);
  for (const [path, method, operation] of operationsOf(document)) {
    const name = `${operation["x-audience"]}/${operation["x-area"]}.json`;
    const part = parts.get(name) ?? { ...document, paths: {} };
    parts.set(name, { ...part, paths: { ...part.paths, [path]: { ...part.paths[path], [method]: operation } } });
  }
  return parts;
};

const requestCode = async (root: string): Promise<Contracts | undefined> => {
  if (!SOURCES.every((path) => existsSync(join(root, path)))) return undefined;
  const { code, output } = await runQuietly(process.execPath, [PROBE], { cwd: root });
  if (code !== 0) throw new Error(`${PROBE} ended with exit code ${code}:\n${output}`);
  return JSON.parse(output) as Contracts;
};

/** The committed files, as the code defines them now. */
const committedTexts = (contracts: Contracts | undefined): ReadonlyMap<string, string> =>
  contracts === undefined
    ? new Map()
    : new Map([
        [OPENAPI, describeOpenApi(contracts.openapi)],
        [EVENTS, `${JSON.stringify(contracts.events, undefined, 2)}\n`],
      ]);

/** A committed contract that differs from the code's, in either direction. */
export const compareContracts = (root: string, texts: ReadonlyMap<string, string>): readonly string[] =>
  COMMITTED.flatMap((path) => {
    const committed = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    if (committed === texts.get(path)) return [];
    return [`${path} is not what the code says: run npm run contracts and review the difference`];
  });

export const checkContracts = async (root: string): Promise<{ problems: readonly string[]; note?: string }> => {
  try {
    const contracts = await requestCode(root);
    const problems = [
      ...compareContracts(root, committedTexts(contracts)),
      ...(contracts === undefined ? [] : findUnplaced(contracts.openapi)),
    ];
    return contracts === undefined ? { problems, note: "no contract yet" } : { problems };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
};

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  const contracts = await requestCode(root);
  for (const [path, text] of committedTexts(contracts)) {
    write(join(root, path), text);
    process.stdout.write(`✓ ${path}\n`);
  }
  if (contracts === undefined) {
    process.stdout.write(`Nothing to write: ${SOURCES.join(" and ")} do not exist yet.\n`);
  } else {
    rmSync(join(root, ARTEFACTS), { recursive: true, force: true });
    const parts = splitOpenApi(contracts.openapi);
    for (const [name, part] of parts) write(join(root, ARTEFACTS, name), `${JSON.stringify(part, undefined, 2)}\n`);
    process.stdout.write(`✓ ${ARTEFACTS} (${parts.size} documents)\n`);
  }
}
