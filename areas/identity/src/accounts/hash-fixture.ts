// Passwords at no cost, for tests of other subjects: no threads, no queue, a digest instead of argon2.
import { createHash } from "node:crypto";
import type { HashPool } from "./hash-pool.ts";

const digest = (password: string): string => createHash("sha256").update(password).digest("base64url");

export const FREE_PASSWORDS: HashPool = {
  hash: async (password) => digest(password),
  verify: async (password, hash) => hash === digest(password),
  busy: () => undefined,
  waiting: 0,
  threads: 0,
  close: async () => undefined,
};
