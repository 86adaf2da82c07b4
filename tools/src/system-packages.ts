// Owns the programs `npm test` needs from the system: finds them, installs them on Debian as root, else reports the
// missing ones.
import { existsSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { run, runQuietly } from "./child.mjs";
import { print, Refusal, step } from "./progress.mjs";

/** The shell first: it is the same engine without windows, and the browser tests take two thirds of the time in it. */
const SHELL = "/usr/bin/chromium-headless-shell";
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];

/** The folder of the newest PostgreSQL server; the client alone (psql) is not enough. */
export const findPostgres = (): string | undefined =>
  globSync(["/usr/lib/postgresql/*/bin/initdb", "/usr/local/bin/initdb", "/usr/bin/initdb", "/opt/homebrew/bin/initdb"])
    .map(dirname)
    .filter((folder) => existsSync(`${folder}/postgres`))
    .sort((one, other) => one.localeCompare(other, undefined, { numeric: true }))
    .at(-1);

/** `CW_CHROMIUM` names another one. */
export const findChromium = (): string | undefined =>
  process.env.CW_CHROMIUM ?? [SHELL, ...CHROMIUM].find((path) => existsSync(path));

export interface Found {
  readonly chromium: string | undefined;
  readonly postgres: string | undefined;
}

const look = (): Found => ({ chromium: findChromium(), postgres: findPostgres() });

/** What the tests cannot do without: each as the packages that would do, the best first. */
export const listMissing = (needs: ReadonlySet<string>, found: Found): readonly (readonly string[])[] => [
  ...(needs.has("chromium") && found.chromium === undefined ? [["chromium-headless-shell", "chromium"]] : []),
  ...(needs.has("postgres") && found.postgres === undefined ? [["postgresql"]] : []),
];

/** One line for a manual installation. */
export const describeMissing = (missing: readonly (readonly string[])[]): string => {
  const names = missing.map((ones) => ones.join(" or ")).join(" and ");
  return `The tests need ${names}: install with  sudo apt-get install -y --no-install-recommends ${missing.map(([best]) => best).join(" ")}`;
};

const apt = async (args: readonly string[]): Promise<void> => {
  const code = await run("apt-get", ["-q", ...args], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  if (code !== 0) throw new Refusal(`apt-get ${args.join(" ")} failed (exit code ${code}).`);
};

const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** The first of them in this system's package lists; older ones have no shell. */
const choose = async (ones: readonly string[]): Promise<string> => {
  for (const name of ones.filter((one) => one !== "")) {
    const { code, output } = await runQuietly("apt-cache", ["show", name]);
    if (code === 0 && output.includes("Package:")) return name;
  }
  return ones.at(-1) ?? "";
};

/** A full browser suffices; where the shell can be installed easily the tests are faster. Nothing waits for it long. */
const improve = async (needs: ReadonlySet<string>): Promise<void> => {
  if (!needs.has("chromium") || process.env.CW_CHROMIUM !== undefined || existsSync(SHELL) || !mayInstall()) return;
  if ((await choose(["chromium-headless-shell", ""])) === "") return;
  const limits = ["Acquire::Retries=0", "Acquire::http::Timeout=10", "Acquire::https::Timeout=10"];
  const args = [...limits.flatMap((limit) => ["-o", limit]), "install", "-y", "--no-install-recommends"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await step("Installing chromium-headless-shell beside the browser", async () => {
    const { code } = await runQuietly("apt-get", [...args, "chromium-headless-shell"], { env });
    if (code !== 0) print("  it cannot be had now; the whole browser does as well");
  });
};

export const ensurePackages = async (needs: ReadonlySet<string>): Promise<void> => {
  const named = process.env.CW_CHROMIUM;
  if (needs.has("chromium") && named !== undefined && !existsSync(named))
    throw new Refusal(`CW_CHROMIUM names ${named}, and nothing is there.`);
  const missing = listMissing(needs, look());
  if (missing.length === 0) return improve(needs);
  if (!mayInstall()) throw new Refusal(describeMissing(missing));
  await step(`Installing ${missing.map(([best]) => best).join(" and ")}`, async () => {
    await apt(["update"]);
    await apt(["install", "-y", "--no-install-recommends", ...(await Promise.all(missing.map(choose)))]);
  });
  const still = listMissing(needs, look());
  if (still.length > 0) {
    throw new Refusal(
      `apt-get was content, but ${still.map((ones) => ones.join(" or ")).join(" and ")} cannot be found.`,
    );
  }
};
