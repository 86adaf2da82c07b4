// Owns the list of files the checks read: what a clone contains, without what is installed, built or recorded.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set(["node_modules", ".git", "build", "data", ".react-router", ".cache", "coverage", "screens"]);

/** All files below root as paths with forward slashes, sorted. */
export const listFiles = (root: string, below = ""): readonly string[] =>
  readdirSync(join(root, below), { withFileTypes: true })
    .flatMap((entry) => {
      if (SKIPPED.has(entry.name)) return [];
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? listFiles(root, path) : [path];
    })
    .sort();
