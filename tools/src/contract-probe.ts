// Reads the contracts from the code and prints them as JSON: the HTTP document from the mounted routes, the machine's
// vocabulary from its tables. A separate process; imports by path at run time, so that tools depend on no package.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(import.meta.dirname, "../..");
const load = <Module>(path: string): Promise<Module> => import(pathToFileURL(join(ROOT, path)).href) as Promise<Module>;

interface Server {
  readonly app: { inject(request: { url: string }): Promise<{ statusCode: number; body: string }> };
  close(): Promise<void>;
}

const openApi = async (): Promise<unknown> => {
  const folder = mkdtempSync(join(tmpdir(), "cw-contracts-"));
  try {
    const { readConfig } = await load<{ readConfig(env: object): { config: unknown } }>("host/src/settings/config.ts");
    const { createLog } = await load<{ createLog(options: object): unknown }>("host/src/log.ts");
    const { compose } = await load<{ compose(options: object): Promise<Server> }>("apps/server/src/process/compose.ts");
    const log = createLog({ level: "silent", format: "json", write: () => undefined });
    // The version is left out on purpose: a release changes no contract.
    const server = await compose({ config: readConfig({ CW_DATA: folder }).config, log, version: "0" });
    const { statusCode, body } = await server.app.inject({ url: "/openapi.json" });
    await server.close();
    if (statusCode !== 200) throw new Error(`/openapi.json answers ${statusCode}: ${body}`);
    return JSON.parse(body);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Layout = Readonly<Record<string, { readonly at: number; readonly size: number; readonly fallback?: unknown }>>;
type Kinds = Readonly<Record<string, { readonly kind: number; readonly layout: Layout }>>;

/** Name, number and the place of every member: what a journal written today must still mean tomorrow. */
const describeKinds = (kinds: Kinds): unknown =>
  Object.fromEntries(
    Object.entries(kinds)
      .sort(([, one], [, other]) => one.kind - other.kind)
      .map(([name, { kind, layout }]) => [
        name,
        {
          kind,
          members: Object.fromEntries(
            Object.entries(layout)
              .sort(([one, a], [other, b]) => a.at - b.at || one.localeCompare(other))
              .map(([member, { at, size, fallback }]) => [
                member,
                { at, size, ...(fallback === undefined ? {} : { fallback }) },
              ]),
          ),
        },
      ]),
  );

const events = async (): Promise<unknown> => {
  const { COMMANDS } = await load<{ COMMANDS: Kinds }>("core/src/protocol/command.ts");
  const { EVENTS } = await load<{ EVENTS: Kinds }>("core/src/protocol/event.ts");
  const { REJECTIONS } = await load<{ REJECTIONS: readonly string[] }>("core/src/protocol/rejection.ts");
  const names = await load<Record<string, unknown>>("core/src/protocol/names.ts");
  const isWords = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
  return {
    commands: describeKinds(COMMANDS),
    events: describeKinds(EVENTS),
    rejections: REJECTIONS,
    words: Object.fromEntries(
      Object.entries(names)
        .filter(([, value]) => isWords(value))
        .sort(([one], [other]) => one.localeCompare(other)),
    ),
  };
};

process.stdout.write(JSON.stringify({ openapi: await openApi(), events: await events() }));
