// Owns a throwaway PostgreSQL for the tests: its own folder, its own port on loopback, a private password. A test ends
// processes and never the machine, so nothing is lost without syncs, which are off: with them, dropping one of the many
// databases takes seconds. Always stopped by the handle it was started with, never by name.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

const READY_MS = 60_000;

/** PostgreSQL refuses to run as root: then it runs as the user Debian made for it. */
const chooseUser = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const fields = (
    users.find((line) => line.startsWith("postgres:")) ??
    users.find((line) => line.startsWith("nobody:")) ??
    ""
  ).split(":");
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
};

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object" ? done(address.port) : fail(new Error("no port")),
      );
    });
  });

const waitUntilReady = (child: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    let reply = "";
    const timer = setTimeout(
      () => fail(new Error(`PostgreSQL was not ready after ${READY_MS / 1000} s:\n${reply}`)),
      READY_MS,
    );
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      finish();
    };
    child.once("error", (error) => end(() => fail(error)));
    child.once("exit", (code) => end(() => fail(new Error(`PostgreSQL ended with exit code ${code}:\n${reply}`))));
    child.stderr?.on("data", (part: Buffer) => {
      // Kept short: after the start it is not read, but the pipe has to be drained.
      reply = (reply + part.toString()).slice(-4000);
      if (reply.includes("ready to accept connections")) end(done);
    });
  });

export const startPostgres = async (programs: string, place = tmpdir()): Promise<Postgres> => {
  const user = chooseUser();
  const folder = mkdtempSync(join(place, "cw-postgres-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const password = randomBytes(18).toString("base64url");
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) {
      chownSync(folder, user.uid, user.gid);
      chownSync(passwordFile, user.uid, user.gid);
    }
    const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" }, ...user };
    const init = ["-D", data, "-U", "clockwork", "-E", "UTF8", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
    await promisify(execFile)(join(programs, "initdb"), init, options);
    const port = await freePort();
    const settings = ["max_connections=200", "fsync=off", "full_page_writes=off"].flatMap((setting) => ["-c", setting]);
    const args = ["-D", data, "-p", `${port}`, "-k", folder, "-h", "127.0.0.1", ...settings];
    const child = spawn(join(programs, "postgres"), args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    await waitUntilReady(child);
    const stop = async (): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((done) => child.once("exit", done));
        // SIGINT is PostgreSQL's fast shutdown: sessions are cut, the files are left consistent.
        child.kill("SIGINT");
        await ended;
      }
      remove();
    };
    return { url: `postgres://clockwork:${password}@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    remove();
    throw error;
  }
};
