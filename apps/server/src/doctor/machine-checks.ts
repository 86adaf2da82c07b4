// The doctor's looks at the machine: settings, data folder, disk, memory, limits, clock, keys, copies.
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { describeMemory } from "@clockwork/host/settings/config";
import { findUnsafe } from "@clockwork/host/settings/production";
import { KEY_FILE } from "@clockwork/identity/accounts/secret-key";
import { readFacts } from "@clockwork/site/articles/seed-files";
import { SIGNER_FOLDER } from "../copies/keys.ts";
import { type Check, type Finding, green, reasonOf, red, yellow } from "./finding.ts";

const HOUR_MS = 3_600_000;
const COPY_AGE_MAX_MS = 26 * HOUR_MS;
const MB = 1e6;
/** Files, databases and pipes in addition to the connections. */
const FILES_ELSE = 1_000;
const OPEN_FILES_MIN = 4_096;
const PRIVATE = 0o077;

const splitMessage = (message: string): readonly [fact: string, remedy: string] => {
  const [fact = "", ...rest] = message.split(/[.:] (?=[A-Z])/);
  return rest.length > 0 ? [fact, rest.join(". ")] : [message, "correct it in the settings file or the variable"];
};

export const checkSettings: Check = ({ config, problems, unknown, content }) => {
  let facts: Readonly<Record<string, string>> = {};
  const company: Finding[] = [];
  try {
    facts = readFacts(content, config.companyFile);
  } catch (error) {
    company.push(red("settings.CW_COMPANY", reasonOf(error), "write the file in the form of content/company.json"));
  }
  const found = [...problems, ...findUnsafe(config, facts)].map(({ setting, message }) => {
    const [fact, remedy] = splitMessage(message);
    return red(`settings.${setting}`, `${setting}: ${fact}`, remedy);
  });
  const strange = unknown.map((name) =>
    yellow("settings.unknown", `${name} is no setting and changes nothing`, "clockwork settings lists them all"),
  );
  const mode =
    config.mode === "production"
      ? []
      : [
          yellow(
            "settings.mode",
            `CW_MODE is ${config.mode}: test funds are free`,
            "set mode: production for real money",
          ),
        ];
  const all = [...found, ...company, ...strange, ...mode];
  return all.length > 0 ? all : [green("settings", "complete, and safe for production")];
};

export const checkFolder: Check = ({ config: { folder }, outside }) => {
  if (!existsSync(folder))
    return [
      yellow(
        "folder.missing",
        `${folder} does not exist yet`,
        "the first start makes it; for a running exchange, set CW_DATA right",
      ),
    ];
  const found: Finding[] = [];
  if ((statSync(folder).mode & PRIVATE) !== 0)
    found.push(
      red("folder.open", `other users of this machine may read ${folder}, which holds keys`, `chmod 700 ${folder}`),
    );
  if (outside.memoryFileSystems.includes(statfsSync(folder).type))
    found.push(
      red(
        "folder.memory",
        `${folder} is in memory: a restart of the machine loses all balances`,
        "put the data folder on a disk",
      ),
    );
  if (/^\/(?:var\/)?tmp\//.test(folder))
    found.push(yellow("folder.tmp", `${folder} may be emptied by the system`, "use /var/lib/clockwork"));
  for (const [code, name] of [
    ["key.open", KEY_FILE],
    ["key.open", join(SIGNER_FOLDER, "keys.sealed")],
  ] as const) {
    const path = join(folder, name);
    if (existsSync(path) && (statSync(path).mode & PRIVATE) !== 0)
      found.push(red(code, `other users of this machine may read ${path}`, `chmod 600 ${path}`));
  }
  return found.length > 0 ? found : [green("folder", folder)];
};

export const checkDisk: Check = ({ config: { folder, diskAlarmMb, diskFloorMb } }) => {
  let place = folder;
  while (!existsSync(place)) place = join(place, "..");
  const { bavail, bsize, ffree, files } = statfsSync(place);
  const freeMb = Math.floor((bavail * bsize) / MB);
  const remedy = "make room, or move the archive: CW_ARCHIVE=/another/disk";
  if (freeMb < diskFloorMb)
    return [red("disk.full", `${freeMb} MB are left: trading stops below ${diskFloorMb}`, remedy)];
  if (freeMb < diskAlarmMb) return [yellow("disk.low", `${freeMb} MB are left`, remedy)];
  if (files > 0 && ffree < 10_000) return [yellow("disk.inodes", `${ffree} files can be made`, "delete small files")];
  return [green("disk", `${freeMb} MB are left`)];
};

export const checkMemory: Check = ({ config: { memoryMinMb } }) => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || totalmem());
  const problem = describeMemory(memoryMinMb, bytes);
  return [
    problem === undefined
      ? green("memory", `${Math.floor(bytes / MB)} MB`)
      : red("memory.low", problem.message.split(":")[0] ?? "", "give the machine or the container more memory"),
  ];
};

export const checkLimits: Check = ({ config: { connectionsMax }, outside }) => {
  const most = outside.openFilesMax();
  const user = outside.isRoot()
    ? [
        yellow(
          "user.root",
          "this runs as root",
          "run the server as a user of its own: deploy/systemd/clockwork.service",
        ),
      ]
    : [];
  if (most === undefined)
    return [...user, yellow("files.unknown", "the limit of open files cannot be read", "look with ulimit -n")];
  const remedy = "LimitNOFILE=65536 in the unit, or ulimit -n 65536";
  if (most < OPEN_FILES_MIN)
    return [...user, red("files.few", `${most} open files at most: sockets will be refused`, remedy)];
  if (most < connectionsMax + FILES_ELSE)
    return [
      ...user,
      yellow("files.fewer", `${most} open files at most, CW_CONNECTIONS_MAX is ${connectionsMax}`, remedy),
    ];
  return [...user, green("files", `${most} open files at most`)];
};

export const checkClock: Check = ({ outside }) => {
  const following = outside.isClockFollowing();
  if (following === undefined)
    return [
      yellow(
        "clock.unknown",
        "the system does not say whether its clock follows a time server",
        "install chrony or systemd-timesyncd",
      ),
    ];
  return [
    following
      ? green("clock", "follows a time server")
      : red(
          "clock.free",
          "the clock follows no time server: codes of authenticators will not fit",
          "timedatectl set-ntp true",
        ),
  ];
};

export const checkFiles: Check = ({ config: { archive, flaggedFile, folder } }) => {
  const found: Finding[] = [];
  if (flaggedFile !== "" && !existsSync(flaggedFile))
    found.push(
      red(
        "files.flagged",
        `CW_FLAGGED_ADDRESSES: ${flaggedFile} does not exist`,
        "write the file, an address on each line",
      ),
    );
  if (archive.startsWith("/")) {
    if (!existsSync(archive))
      found.push(
        red("archive.missing", `CW_ARCHIVE: ${archive} does not exist`, "mount or make it, owned by the server's user"),
      );
    else if (existsSync(folder) && statSync(archive).dev === statSync(folder).dev)
      found.push(
        yellow(
          "archive.same",
          `${archive} is on the disk of the data folder`,
          "another disk saves the journal when this one dies",
        ),
      );
  }
  if (archive === "off")
    found.push(yellow("archive.off", "old segments of the journal stay in the data folder", "set CW_ARCHIVE"));
  return found.length > 0 ? found : [green("archive", archive)];
};

export const checkCopies: Check = ({ config: { backups, folder }, outside }) => {
  if (backups === "")
    return [
      red(
        "copies.none",
        "no folder of copies is named",
        "set CW_BACKUPS and enable deploy/systemd/clockwork-backup.timer",
      ),
    ];
  const dated = existsSync(backups)
    ? readdirSync(backups).flatMap((name) => {
        const file = join(backups, name, "copy.json");
        return existsSync(file) ? [{ name, timeMs: statSync(file).mtimeMs, file }] : [];
      })
    : [];
  const newest = dated.sort((one, other) => other.timeMs - one.timeMs)[0];
  if (newest === undefined)
    return [
      red("copies.empty", `${backups} holds no finished copy`, "clockwork backup <data> --to a new folder in it"),
    ];
  const ageMs = outside.now() - newest.timeMs;
  if (ageMs > COPY_AGE_MAX_MS)
    return [
      red(
        "copies.old",
        `the newest copy is ${Math.round(ageMs / HOUR_MS)} hours old`,
        "systemctl status clockwork-backup.service says why",
      ),
    ];
  const found: Finding[] = [];
  if (existsSync(folder) && statSync(backups).dev === statSync(folder).dev)
    found.push(
      yellow(
        "copies.same",
        "copies are on the disk of the data folder",
        "keep them on another disk, better in another place",
      ),
    );
  if ((statSync(backups).mode & PRIVATE) !== 0)
    found.push(
      red(
        "copies.open",
        `other users of this machine may read ${backups}, whose copies hold the key`,
        `chmod 700 ${backups}`,
      ),
    );
  const manifest = JSON.parse(readFileSync(newest.file, "utf8")) as { sequence?: number };
  return [...found, green("copies", `${newest.name} up to sequence ${manifest.sequence ?? "?"}`)];
};
