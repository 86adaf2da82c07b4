import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockFolder } from "../storage/lock.ts";
import { PROGRAM_ENVIRONMENT, programOf } from "./program-fixture.ts";

let folder: string;
let children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-main-"));
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out: string;
  err: string;
  until(text: RegExp): Promise<RegExpExecArray>;
}

function run(environment: Record<string, string>): Run {
  const child = spawn(process.execPath, programOf("main"), {
    env: {
      ...PROGRAM_ENVIRONMENT,
      CW_DATA: folder,
      CW_MARKET: "off",
      CW_CHAIN: "off",
      HOST: "127.0.0.1",
      // A busy machine may take long between two steps of a test.
      CW_SHUTDOWN_MS: "120000",
      CW_REQUEST_TIMEOUT_MS: "120000",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let wake: () => void = () => undefined;
  const started: Run = {
    child,
    out: "",
    err: "",
    ended: new Promise((done) => child.once("close", done)),
    async until(text) {
      for (;;) {
        const found = text.exec(started.out);
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${started.out}${started.err}`);
        await new Promise<void>((done) => {
          wake = done;
        });
      }
    },
  };
  child.stdout?.on("data", (part: Buffer) => {
    started.out += part.toString();
    wake();
  });
  child.stderr?.on("data", (part: Buffer) => {
    started.err += part.toString();
  });
  child.once("close", () => wake());
  return started;
}

function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      done({ server, port: typeof address === "object" && address !== null ? address.port : 0 });
    }),
  );
}

describe("a start that cannot be", () => {
  test("[OPS-4] every problem is reported at once, one line each, and nothing is started", async () => {
    const { server, port } = await listen();
    await writeFile(join(folder, "file"), "");
    const main = run({
      PORT: String(port),
      CW_DATA: join(folder, "file", "data"),
      CW_LOG_LEVEL: "loud",
      CW_TRUSTED_PROXIES: "everyone",
      DATABASE_URL: "mysql://root:hunter2@db",
    });
    expect(await main.ended).toBe(1);
    server.close();
    expect(main.out).toBe("");
    const lines = main.err.trimEnd().split("\n");
    expect(lines.map((line) => line.split(": ").slice(0, 2).join(": ")).sort()).toEqual([
      "clockwork: CW_DATA",
      "clockwork: CW_LOG_LEVEL",
      "clockwork: CW_TRUSTED_PROXIES",
      "clockwork: DATABASE_URL",
      "clockwork: PORT",
    ]);
    expect(main.err).toContain(`port ${port} on 127.0.0.1 is taken`);
    expect(main.err).not.toContain("hunter2");
  });

  test("[OPS-7] production with the defaults lists everything that is unsafe and ends with 1", async () => {
    const main = run({ CW_MODE: "production", CW_MARKET: "", CW_CHAIN: "", HOST: "" });
    expect(await main.ended).toBe(1);
    expect(main.out).toBe("");
    const lines = main.err.trimEnd().split("\n");
    expect(lines.map((line) => line.split(": ").slice(0, 2).join(": ")).sort()).toEqual([
      "clockwork: CW_COMPANY",
      "clockwork: CW_LIVENESS_URL",
      "clockwork: CW_MAIL_FROM",
      "clockwork: CW_MARKET",
      "clockwork: CW_OPERATOR_EMAIL",
      "clockwork: CW_OPERATOR_EMAIL",
      "clockwork: CW_PUBLIC_ORIGIN",
      "clockwork: CW_RATES_URL",
      "clockwork: CW_SMTP_URL",
      "clockwork: CW_TRUSTED_PROXIES",
    ]);
  });

  test("[OPS-4] a folder that another process holds is named with its holder, together with the taken port", async () => {
    const { server, port } = await listen();
    const lock = lockFolder(folder);
    const main = run({ PORT: String(port) });
    expect(await main.ended).toBe(1);
    lock.release();
    server.close();
    expect(main.err.trimEnd().split("\n")).toHaveLength(2);
    expect(main.err).toContain(`in use by another process (pid ${process.pid})`);
  });
});

describe("a served process", () => {
  /** A request whose body is still on its way: running as long as we like. */
  async function begin(port: number): Promise<{ socket: Socket; finish(): void; answered: Promise<string> }> {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (part) => {
      text += part.toString();
    });
    socket.on("error", () => undefined);
    const answered = new Promise<string>((done) => socket.once("close", () => done(text)));
    const head =
      "POST /api/v2/users/top-info HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2";
    socket.write(`${head}\r\n\r\n{`);
    // The server counts this connection too once it has answered a later one.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    return { socket, answered, finish: () => socket.write("}") };
  }

  test("[OPS-4] prints its steps and address, completes a running request on SIGTERM, and exits with 0", async () => {
    const main = run({ PORT: "0" });
    const port = Number((await main.until(/serving on http:\/\/localhost:(\d+)/))[1]);
    await main.until(/ready in \d+ ms/);
    const steps = ["locking the data folder", "opening the embedded database", "starting the engine", "serving on"];
    const places = steps.map((step) => main.out.indexOf(step));
    expect(places).toEqual(places.filter((place) => place > 0).sort((left, right) => left - right));
    expect(main.out).toMatch(/operator account \S+, password \S+ \(shown this once\)/);
    expect(main.out).toContain(`http://localhost:${port}/dev/outbox`);
    const request = await begin(port);
    main.child.kill("SIGTERM");
    await main.until(/SIGTERM: stopping/);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    request.finish();
    expect(await request.answered).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await main.ended).toBe(0);
    expect(main.out).toMatch(/stopped\n$/);
  });

  test("[OPS-4] a second signal stops at once", async () => {
    const main = run({ PORT: "0" });
    const port = Number((await main.until(/serving on http:\/\/localhost:(\d+)/))[1]);
    const request = await begin(port);
    main.child.kill("SIGINT");
    await main.until(/SIGINT: stopping/);
    main.child.kill("SIGINT");
    expect(await main.ended).toBe(130);
    await request.answered;
  });
});
