// Owns the programs that check the deployment files: those of the system, else Debian's packages unpacked into .cache, where
// they are run without being installed: installing nginx would start it.
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runQuietly } from "./child.mjs";
import { Refusal, step } from "./progress.mjs";

export const LINTERS = ["nginx", "haproxy", "promtool", "shellcheck", "systemd-analyze"] as const;
export type Linter = (typeof LINTERS)[number];

/** Their packages, with the libraries that a small system does not have. */
const PACKAGES = [
  "nginx",
  "haproxy",
  "liblua5.3-0",
  "libopentracing-c-wrapper0",
  "libopentracing1",
  "prometheus",
  "shellcheck",
  "systemd",
  "libsystemd-shared",
];
const PLACES = ["usr/sbin", "usr/bin", "bin"];

const folderOf = (root: string): string => join(root, ".cache/linters");

export interface Program {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined where it is neither on the system nor unpacked. */
export const findLinter = (root: string, name: Linter): Program | undefined => {
  for (const place of PLACES) {
    const path = join("/", place, name);
    if (existsSync(path)) return { path, env: {} };
    const unpacked = join(folderOf(root), place, name);
    const libraries = globSync(join(folderOf(root), "usr/lib/{,*-linux-gnu,*-linux-gnu/systemd,systemd}"));
    if (existsSync(unpacked)) return { path: unpacked, env: { LD_LIBRARY_PATH: libraries.join(":") } };
  }
  return undefined;
};

const missingOf = (root: string): readonly Linter[] => LINTERS.filter((name) => findLinter(root, name) === undefined);

/** Needs no rights: packages are downloaded and unpacked, not installed. */
export const ensureLinters = async (root: string): Promise<void> => {
  if (missingOf(root).length === 0) return;
  const refuse = (): never => {
    throw new Refusal(
      `The tests of deploy/ need ${missingOf(root).join(", ")}: install with  sudo apt-get install -y nginx haproxy prometheus shellcheck systemd`,
    );
  };
  if (!existsSync("/usr/bin/apt-get") || !existsSync("/usr/bin/dpkg-deb")) return refuse();
  const folder = folderOf(root);
  mkdirSync(dirname(folder), { recursive: true });
  const place = mkdtempSync(`${folder}-`);
  try {
    await step("Unpacking nginx, haproxy, promtool and shellcheck", async () => {
      // A system whose lists are empty or old has none of these versions.
      const download = () => runQuietly("apt-get", ["-q", "download", ...PACKAGES], { cwd: place });
      if ((await download()).code !== 0) {
        await runQuietly("apt-get", ["-q", "update"]);
        await download();
      }
      for (const name of readdirSync(place).filter((one) => one.endsWith(".deb")))
        await runQuietly("dpkg-deb", ["-x", join(place, name), join(place, "root")]);
    });
    rmSync(folder, { recursive: true, force: true });
    if (existsSync(join(place, "root"))) renameSync(join(place, "root"), folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  if (missingOf(root).length > 0) refuse();
};
