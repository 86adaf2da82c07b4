// Owns the rule of commit subjects: at most 72 characters. Reads those that no remote has yet, which may still be changed; where
// there is no remote, the newest alone.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const SUBJECT_MAX = 72;

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

export const checkCommits = (root: string): readonly string[] => {
  if (!existsSync(join(root, ".git"))) return [];
  const span = git(root, "for-each-ref", "--count=1", "refs/remotes") === "" ? ["-1"] : ["--not", "--remotes"];
  return git(root, "log", "--no-merges", "--format=%h %s", "HEAD", ...span)
    .split("\n")
    .filter((line) => line.slice(line.indexOf(" ") + 1).length > SUBJECT_MAX)
    .map((line) => `${line}: a commit's subject has at most ${SUBJECT_MAX} characters`);
};
