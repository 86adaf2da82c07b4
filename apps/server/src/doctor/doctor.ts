// `clockwork doctor`: runs every look, none of which changes anything, and prints what it found with the remedies.
import { checkNetworks, checkWallet } from "./chain-checks.ts";
import { checkDatabase } from "./database-check.ts";
import { type Check, type Finding, type Light, type Patient, reasonOf, red } from "./finding.ts";
import {
  checkClock,
  checkCopies,
  checkDisk,
  checkFiles,
  checkFolder,
  checkLimits,
  checkMemory,
  checkSettings,
} from "./machine-checks.ts";
import { checkCertificates, checkNames, checkProxy, checkServer } from "./network-checks.ts";
import { checkMail, checkOpenid, checkProviders, checkRates } from "./provider-checks.ts";

const CHECKS: Readonly<Record<string, Check>> = {
  settings: checkSettings,
  folder: checkFolder,
  disk: checkDisk,
  memory: checkMemory,
  limits: checkLimits,
  clock: checkClock,
  archive: checkFiles,
  copies: checkCopies,
  database: checkDatabase,
  server: checkServer,
  names: checkNames,
  certificates: checkCertificates,
  proxy: checkProxy,
  mail: checkMail,
  providers: checkProviders,
  rates: checkRates,
  openid: checkOpenid,
  networks: checkNetworks,
  wallet: checkWallet,
};

/** In the order of the list, whatever each of them takes. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const found = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => {
      try {
        return await check(patient);
      } catch (error) {
        return [
          red(
            `${name}.failed`,
            `${name} cannot be looked at (${reasonOf(error)})`,
            "report this with the output of clockwork doctor --json",
          ),
        ];
      }
    }),
  );
  return found.flat();
}

const MARKS: Readonly<Record<Light, string>> = { green: "✓", yellow: "!", red: "✗" };

export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ code, light, fact, remedy }) => `${MARKS[light]} ${code}  ${fact}${remedy === "" ? "" : `\n    ${remedy}`}`,
  );
  const count = (light: Light): number => findings.filter((finding) => finding.light === light).length;
  return [...lines, `${count("red")} red, ${count("yellow")} yellow, ${count("green")} green`].join("\n");
}
