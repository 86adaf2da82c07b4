// Owns the programs `npm test` needs from the system: finds them, installs them on Debian as root, else says which are missing.
import { existsSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { run } from "./child.mjs";
import { Refusal, step } from "./progress.mjs";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];

/** The folder of the newest PostgreSQL server; the client alone (psql) is not enough. */
export const findPostgres = (): string | undefined =>
  globSync(["/usr/lib/postgresql/*/bin/initdb", "/usr/local/bin/initdb", "/usr/bin/initdb", "/opt/homebrew/bin/initdb"])
    .map(dirname)
    .filter((folder) => existsSync(`${folder}/postgres`))
    .sort((one, other) => one.localeCompare(other, undefined, { numeric: true }))
    .at(-1);

export const findChromium = (): string | undefined => CHROMIUM.find((path) => existsSync(path));

const missing = (needs: ReadonlySet<string>): readonly string[] => [
  ...(needs.has("chromium") && findChromium() === undefined ? ["chromium"] : []),
  ...(needs.has("postgres") && findPostgres() === undefined ? ["postgresql"] : []),
];

const apt = async (args: readonly string[]): Promise<void> => {
  const code = await run("apt-get", ["-q", ...args], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  if (code !== 0) throw new Refusal(`apt-get ${args.join(" ")} failed (exit code ${code}).`);
};

export const ensurePackages = async (needs: ReadonlySet<string>): Promise<void> => {
  const wanted = missing(needs);
  if (wanted.length === 0) return;
  const names = wanted.join(" ");
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Refusal(
      `The tests need ${wanted.join(" and ")}: install with  sudo apt-get install -y --no-install-recommends ${names}`,
    );
  }
  await step(`Installing ${wanted.join(" and ")}`, async () => {
    await apt(["update"]);
    await apt(["install", "-y", "--no-install-recommends", ...wanted]);
  });
  const still = missing(needs);
  if (still.length > 0) throw new Refusal(`apt-get installed ${names}, but ${still.join(" and ")} cannot be found.`);
};
