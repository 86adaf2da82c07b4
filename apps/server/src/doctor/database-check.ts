// The doctor's look at PostgreSQL: can it be reached, does it keep what it has confirmed, can it be brought back.
import pg from "pg";
import { type Check, type Finding, green, reasonOf, red, yellow } from "./finding.ts";

const TIMEOUT_MS = 8_000;
/** The server's pool, the claim, and an operator's own connection. */
const CONNECTIONS_MIN = 20;
const VERSION_MIN = 130_000;
const SKEW_YELLOW_MS = 1_000;
const SKEW_RED_MS = 30_000;

const READ = `select name, setting from pg_settings where name in ('server_version_num', 'server_encoding', 'fsync',
  'full_page_writes', 'synchronous_commit', 'wal_level', 'archive_mode', 'max_connections', 'data_checksums', 'zero_damaged_pages')`;

export type ServerSettings = Readonly<Record<string, string>>;

export const checkDatabase: Check = async ({ config: { databaseUrl, mode }, outside }) => {
  if (databaseUrl === undefined) {
    if (mode !== "production") return [green("database", "embedded")];
    return [
      yellow(
        "database.embedded",
        "tables are in SQLite on the disk of the data folder",
        "DATABASE_URL names a PostgreSQL with a standby; until then keep copies often",
      ),
    ];
  }
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; setting: string }>(READ);
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    const beforeMs = outside.now();
    const { rows: now } = await client.query<{ ms: number; isSuper: boolean; isSealed: boolean }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms, r.rolsuper as "isSuper",
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isSealed"
        from pg_roles r where r.rolname = current_user`,
    );
    const [read] = now;
    const found = judgeServer(settings);
    if (read !== undefined) found.push(...judgeConnection(databaseUrl, read), ...judgeSkew(read.ms - beforeMs));
    return found.length > 0 ? found : [green("database", `PostgreSQL ${settings.server_version_num ?? ""}`)];
  } catch (error) {
    return [
      red(
        "database.unreachable",
        `PostgreSQL: ${reasonOf(error)}`,
        "start it, and compare DATABASE_URL with its users, databases and pg_hba.conf",
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
};

export function judgeServer(settings: ServerSettings): Finding[] {
  const off = (name: string): boolean => settings[name] === "off";
  const found: Finding[] = [];
  const add = (isWrong: boolean, finding: Finding): void => void (isWrong && found.push(finding));
  add(
    Number(settings.server_version_num) < VERSION_MIN,
    red("database.old", "PostgreSQL is older than 13", "upgrade it"),
  );
  add(
    settings.server_encoding !== "UTF8",
    red(
      "database.encoding",
      `the encoding is ${settings.server_encoding}`,
      "createdb --encoding=UTF8 --template=template0",
    ),
  );
  add(off("fsync"), red("database.fsync", "fsync is off: a power cut damages the tables", "fsync = on"));
  add(
    off("full_page_writes"),
    red("database.pages", "full_page_writes is off: a power cut damages the tables", "full_page_writes = on"),
  );
  add(
    off("synchronous_commit"),
    red("database.commit", "synchronous_commit is off: what was confirmed can be lost", "synchronous_commit = on"),
  );
  add(
    settings.zero_damaged_pages === "on",
    red("database.zero", "zero_damaged_pages is on: damaged rows become empty", "zero_damaged_pages = off"),
  );
  add(
    off("data_checksums"),
    yellow("database.checksums", "pages have no checksums", "pg_checksums --enable while it is stopped"),
  );
  add(
    settings.wal_level === "minimal",
    yellow("database.wal", "wal_level is minimal: no standby and no recovery to a moment", "wal_level = replica"),
  );
  add(
    off("archive_mode"),
    yellow(
      "database.archive",
      "the log is not archived: only whole copies can be restored",
      "archive_mode = on and an archive_command",
    ),
  );
  add(
    Number(settings.max_connections) < CONNECTIONS_MIN,
    red("database.connections", `max_connections is ${settings.max_connections}`, "max_connections = 50"),
  );
  return found;
}

export function judgeConnection(
  url: string,
  { isSuper, isSealed }: { readonly isSuper: boolean; readonly isSealed: boolean },
): readonly Finding[] {
  const host = URL.parse(url)?.hostname ?? "";
  const isNear = host === "" || host === "localhost" || /^(?:127\.|\[::1\])/.test(host) || host.startsWith("%2F");
  return [
    ...(isSuper
      ? [
          yellow(
            "database.superuser",
            "the server connects as a superuser",
            "give it a role that owns its database alone",
          ),
        ]
      : []),
    ...(isNear || isSealed
      ? []
      : [
          red(
            "database.plain",
            `the connection to ${host} is not encrypted`,
            "ssl = on there, and ?sslmode=verify-full in DATABASE_URL",
          ),
        ]),
  ];
}

export function judgeSkew(skewMs: number): readonly Finding[] {
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10;
  const remedy = "both machines follow a time server: timedatectl set-ntp true";
  if (Math.abs(skewMs) > SKEW_RED_MS)
    return [red("clock.apart", `the clocks of this machine and PostgreSQL are ${seconds} s apart`, remedy)];
  if (Math.abs(skewMs) > SKEW_YELLOW_MS)
    return [yellow("clock.differs", `the clocks of this machine and PostgreSQL differ by ${seconds} s`, remedy)];
  return [];
}
