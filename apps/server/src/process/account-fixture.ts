// A whole listening process with accounts for tests, and a visitor who keeps cookies as a browser does.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SILENT_LOG } from "@clockwork/host/log";
import { readConfig } from "@clockwork/host/settings/config";
import { FREE_PASSWORDS } from "@clockwork/identity/accounts/hash-fixture";
import type { OutboxEntry } from "@clockwork/identity/accounts/outbox";
import type { Kysely } from "kysely";
import { openClock } from "../clock/clock.ts";
import { AHEAD_MS } from "../clock/clock-fixture.ts";
import { copyTables } from "../storage/test-template.ts";
import { type Clockwork, type ComposeOptions, compose } from "./compose.ts";

/** Tables that lag on a busy machine are waited for as long as anything else is. */
export const SETTLE_MS = 60_000;

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly one: Clockwork;
  readonly announced: readonly string[];
  /** The database as a thief of it would see it. */
  readonly kysely: Kysely<unknown> | undefined;
  /** Lets time pass. */
  wait(ms: number): void;
  nowMs(): number;
  close(): Promise<void>;
}

export async function startTestServer(
  environment: Readonly<Record<string, string>> = {},
  startEngine?: ComposeOptions["startEngine"],
  market?: ComposeOptions["market"],
  moreParts?: ComposeOptions["moreParts"],
  log: ComposeOptions["log"] = SILENT_LOG,
  aheadMs = AHEAD_MS,
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "cw-accounts-"));
  if (environment.DATABASE_URL === undefined) await copyTables(environment.CW_DATA ?? folder);
  // One key for all folders: tests open the same database from several.
  const { config, problems } = readConfig({
    CW_DATA: folder,
    CW_CAPTCHA: "off",
    CW_CHAIN: "off",
    // A test that compares states must account for every command.
    CW_SEED_SECONDS: "0",
    ...(environment.CW_DATA === undefined ? { CW_SECRET_KEY: "5e".repeat(32) } : {}),
    ...environment,
  });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const clock = openClock({ aheadMs });
  const announced: string[] = [];
  let kysely: Kysely<unknown> | undefined;
  const idle = {
    health: () => ({ state: "starting" as const, sequence: 0, durableSequence: 0 }),
    close: async () => undefined,
  };
  const one = await compose({
    config,
    log,
    version: "1",
    clock,
    passwords: FREE_PASSWORDS,
    settleMsMax: SETTLE_MS,
    ...(market === undefined ? {} : { market }),
    ...(moreParts === undefined ? {} : { moreParts }),
    announce: (line) => announced.push(line),
    startEngine: async (options) => {
      kysely = options.kysely;
      return startEngine === undefined ? idle : startEngine(options);
    },
  });
  await one.app.listen({ host: "127.0.0.1", port: 0 });
  const address = one.app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    one,
    announced,
    kysely,
    nowMs: clock.now,
    wait: clock.advance,
    async close() {
      await one.close();
      if (environment.CW_DATA === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly code: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly data: any;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly headers: Headers;
  readonly cookies: readonly string[];
}

/** Keeps cookies and a device id. */
export class Visitor {
  readonly jar = new Map<string, string>();
  readonly #server: Pick<TestServer, "url">;
  /** The address it has signed up with. */
  account = "";
  readonly headers: Record<string, string>;

  constructor(
    testServer: Pick<TestServer, "url">,
    headers: Record<string, string> = { cwDeviceId: crypto.randomUUID() },
  ) {
    this.#server = testServer;
    this.headers = headers;
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#call(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  get(path: string): Promise<Answer> {
    return this.#call(path, {});
  }

  /** Sends a file unchanged. */
  send(path: string, bytes: Uint8Array, mediaType: string, headers: Record<string, string> = {}): Promise<Answer> {
    const body = new Blob([Uint8Array.from(bytes)]);
    return this.#call(path, { method: "POST", headers: { ...headers, "content-type": mediaType }, body });
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.#call(path, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  delete(path: string): Promise<Answer> {
    return this.#call(path, { method: "DELETE" });
  }

  /** Test funds, which are given at the root of the site. */
  faucet(asset: string, amount: string, clientId?: string): Promise<Answer> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ asset, amount, clientId }),
    };
    return this.#call("/dev/faucet", init, "");
  }

  /** A call below /futuresapi; with a body it is a POST by default. */
  futures(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<Answer> {
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return this.#call(path, { method, ...(body === undefined ? {} : json) }, "/futuresapi");
  }

  /** A call of the default run, at the root of the site. */
  dev(path: string, body: unknown): Promise<Answer> {
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return this.#call(`/dev${path}`, { method: "POST", ...json }, "");
  }

  async #call(path: string, init: RequestInit, base = "/api"): Promise<Answer> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${this.#server.url}${base}${path}`, {
      ...init,
      headers: { ...this.headers, ...(init.headers as object), ...(cookie === "" ? {} : { cookie }) },
    });
    const cookies = this.keepCookies(response);
    const { code, data, message, fields } = (await response.json()) as Answer;
    return { status: response.status, code, data, message, fields, headers: response.headers, cookies };
  }

  keepCookies(response: Response): readonly string[] {
    const cookies = response.headers.getSetCookie();
    for (const text of cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === "") this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return cookies;
  }

  async readOutbox(to: string): Promise<readonly Omit<OutboxEntry, "to" | "subject" | "at">[]> {
    const response = await fetch(`${this.#server.url}/dev/outbox.json?to=${encodeURIComponent(to)}`);
    return (await response.json()) as OutboxEntry[];
  }

  /** The code in the newest message to an address; empty when that has none. */
  async readCode(to: string): Promise<string> {
    return (await this.readOutbox(to))[0]?.code ?? "";
  }

  /** The newest code to an address; other mail to it, sent by work that runs during the test, is skipped. */
  async readLastCode(to: string): Promise<string> {
    return (await this.readOutbox(to)).find(({ code }) => code !== null)?.code ?? "";
  }

  async signUp(account: string, password = "correct-horse-1", more: object = {}): Promise<Answer> {
    this.account = account;
    await this.post("/v2/users/sign-up/code", { account });
    return this.post("/v2/users/sign-up", { account, code: await this.readCode(account), password, ...more });
  }

  /** Signs in and enters every code requested by mail. */
  async signIn(account: string, password = "correct-horse-1", more: object = {}): Promise<Answer> {
    const first = await this.post("/v2/users/login/do-login", { account, password, ...more });
    if (first.data?.ticket === undefined) return first;
    const code = await this.readLastCode(account);
    const codes = account.includes("@") ? { email: code } : { phone: code };
    return this.post("/v2/users/login/do-login", { ticket: first.data.ticket, codes, ...more });
  }

  async stepUp(account: string): Promise<Answer> {
    await this.post("/v2/users/security/step-up/code");
    const code = await this.readLastCode(account);
    const codes = account.includes("@") ? { email: code } : { phone: code };
    return this.post("/v2/users/security/step-up", { codes });
  }
}

export function readSecret(text: string): Uint8Array {
  const bits = [...text].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return Uint8Array.from(bits.join("").match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
