// What the doctor looks at outside of its settings: names, certificates, HTTP, the machine's limits and clock. One object,
// so that a test passes the same probes with other answers.
import { execFileSync } from "node:child_process";
import { lookup, resolveTxt } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { later } from "@clockwork/host/time/background";
import { wallMs } from "@clockwork/host/time/measure";

const TIMEOUT_MS = 10_000;

export interface Certificate {
  readonly names: readonly string[];
  readonly endsMs: number;
  /** Why a browser would refuse it; undefined where it would not. */
  readonly fault: string | undefined;
}

export interface Outside {
  now(): number;
  /** Addresses of a name; rejects where it has none. */
  resolve(host: string): Promise<readonly string[]>;
  /** TXT records; empty where there are none. */
  texts(host: string): Promise<readonly string[]>;
  certificate(host: string, port: number): Promise<Certificate>;
  fetch(url: string, options?: RequestInit): Promise<Response>;
  /** Whether a WebSocket connection opens. */
  opensSocket(url: string): Promise<boolean>;
  /** How many files this user's processes may have open; undefined where the system does not say. */
  openFilesMax(): number | undefined;
  isRoot(): boolean;
  /** Whether the machine's clock follows a time server; undefined where the system does not say. */
  isClockFollowing(): boolean | undefined;
  /** The kind of file system of a folder, by its number. */
  readonly memoryFileSystems: readonly number[];
}

export const OUTSIDE: Outside = {
  now: wallMs,
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  texts: async (host) => {
    try {
      return (await resolveTxt(host)).map((parts) => parts.join(""));
    } catch {
      // No such record, or no name server: both mean that no receiver finds one.
      return [];
    }
  },
  certificate: readCertificate,
  fetch: (url, options) => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS), ...options }),
  opensSocket: (url) =>
    new Promise((done) => {
      const socket = new WebSocket(url);
      const end = (isOpen: boolean): void => {
        clearTimeout(late);
        socket.close();
        done(isOpen);
      };
      const late = later("doctor.socket", () => end(false), TIMEOUT_MS);
      socket.addEventListener("open", () => end(true));
      socket.addEventListener("error", () => end(false));
    }),
  openFilesMax() {
    try {
      const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
      return soft === undefined ? undefined : Number(soft);
    } catch {
      return undefined;
    }
  },
  isRoot: () => process.getuid?.() === 0,
  isClockFollowing() {
    try {
      const text = execFileSync("timedatectl", ["show", "-p", "NTPSynchronized"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      return String(text).includes("=yes");
    } catch {
      return undefined;
    }
  },
  // tmpfs and ramfs.
  memoryFileSystems: [0x01021994, 0x858458f6],
};

function readCertificate(host: string, port: number): Promise<Certificate> {
  return new Promise((done, fail) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: TIMEOUT_MS }, () => {
      const { valid_to, subjectaltname = "" } = socket.getPeerCertificate();
      const fault = socket.authorized ? undefined : String(socket.authorizationError);
      socket.end();
      const names = subjectaltname.split(", ").flatMap((entry) => /^DNS:(.+)$/.exec(entry)?.[1] ?? []);
      done({ names, endsMs: Date.parse(valid_to), fault });
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in 10 s")));
    socket.once("error", fail);
  });
}
