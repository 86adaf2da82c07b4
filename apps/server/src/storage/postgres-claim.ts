// One process per PostgreSQL database: an advisory lock on its own connection, which the server releases when the
// process or its machine is gone. After a lost connection it is acquired again; another holder by then is reported.

import { later } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import pg from "pg";
import { classifyPostgresError } from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";

/** "clockwork" read as digits; one database holds one exchange. */
const LOCK = 2_529_056_975;
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_EVERY_MS = 500;
const RETAKE_MS = 1_000;

export interface Claim {
  /** Why this process may not rely on the database being its own; nothing while it may. */
  readonly fault: DatabaseFault | undefined;
  release(): Promise<void>;
}

/** Waits so long for another process to end; then rejects with a fault that names it. */
export async function claimPostgres(url: string, waitMs: number): Promise<Claim> {
  const claim = new PostgresClaim(url);
  const deadlineMs = measureMs() + waitMs;
  for (;;) {
    const holder = await claim.take();
    if (holder === undefined) return claim;
    if (measureMs() >= deadlineMs) throw inUse(holder);
    await new Promise((done) => setTimeout(done, REQUEST_EVERY_MS));
  }
}

function inUse(holder: string): DatabaseFault {
  return new DatabaseFault(
    "unavailable",
    `this PostgreSQL database is in use by another Clockwork process (${holder}). Stop it, or name another database in DATABASE_URL.`,
  );
}

class PostgresClaim implements Claim {
  readonly #url: string;
  #client: pg.Client | undefined;
  #retaking: NodeJS.Timeout | undefined;
  #isReleased = false;
  fault: DatabaseFault | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Nothing when the database is ours now; else who has it. */
  async take(): Promise<string | undefined> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: "clockwork owner",
      keepAlive: true,
    });
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    try {
      await client.connect();
      // A machine that loses power closes no connection; the server detects it within a minute.
      await client.query("set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4");
      const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [LOCK]);
      if ((rows[0] as { taken: boolean }).taken) {
        this.#client = client;
        this.fault = undefined;
        return undefined;
      }
      const holder = await nameHolder(client);
      await client.end();
      return holder;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw classifyPostgresError(error);
    }
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#retaking);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #lose(client: pg.Client): void {
    if (client !== this.#client || this.#isReleased) return;
    this.#client = undefined;
    this.#retakeLater();
  }

  #retakeLater(): void {
    if (this.#isReleased) return;
    this.#retaking = later(
      "storage.claim",
      () => {
        this.take().then(
          (holder) => {
            if (holder === undefined) return;
            this.fault = inUse(holder);
            this.#retakeLater();
          },
          // Still unavailable; other queries report that themselves.
          () => this.#retakeLater(),
        );
      },
      RETAKE_MS,
    );
    this.#retaking.unref();
  }
}

async function nameHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select coalesce(host(a.client_addr), 'this machine') as address, a.backend_start as since
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and a.datname = current_database()`,
    [LOCK],
  );
  const row = rows[0] as { address: string; since: Date } | undefined;
  return row === undefined ? "just ended" : `connected from ${row.address} since ${row.since.toISOString()}`;
}
