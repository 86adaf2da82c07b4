// Room to live: where old segments of the journal go, how much must be left on the disk, and the memory a start needs. Declared
// here as data; config.ts reads the environment.
import { integerSetting, textSetting } from "./setting.ts";

export const ARCHIVE_SETTINGS = {
  archive: textSetting(
    "CW_ARCHIVE",
    "archive",
    "Where old segments of the journal go: archive in the data folder, an absolute folder, s3://bucket/prefix, or off",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
    /^(?:archive|off|\/[^\u0000-\u001f]{0,1023}|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w!.*'()/-]{0,512})?)$/,
    "archive, off, an absolute folder or s3://bucket/prefix",
  ),
  archiveEndpoint: textSetting(
    "CW_ARCHIVE_ENDPOINT",
    "https://s3.amazonaws.com",
    "Address of the S3-compatible store; buckets are named in the path",
    /^https?:\/\/[A-Za-z0-9.:_[\]-]{1,253}$/,
    "an address such as https://s3.example",
  ),
  archiveRegion: textSetting("CW_ARCHIVE_REGION", "us-east-1", "Region of the store", /^[a-z0-9-]{1,64}$/, "a region"),
  archiveCredentials: textSetting(
    "CW_ARCHIVE_CREDENTIALS",
    "",
    "File with aws_access_key_id and aws_secret_access_key of the store",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
    /^\/[^\u0000-\u001f]{1,1023}$/,
    "an absolute path",
  ),
  backups: textSetting(
    "CW_BACKUPS",
    "",
    "Folder of copies by clockwork backup, each in a folder of its own; clockwork doctor reports when the newest is older than a day. The server does not read it",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
    /^\/[^\u0000-\u001f]{1,1023}$/,
    "an absolute folder",
  ),
  diskAlarmMb: integerSetting(
    "CW_DISK_ALARM_MB",
    "4000",
    "An alarm when fewer megabytes are left on the disk of the data folder",
    0,
    100_000_000,
  ),
  diskFloorMb: integerSetting(
    "CW_DISK_FLOOR_MB",
    "500",
    "Trading stops while fewer megabytes are left on the disk of the data folder; 0 never",
    0,
    100_000_000,
  ),
  memoryMinMb: integerSetting(
    "CW_MEMORY_MIN_MB",
    "1500",
    "A start with fewer megabytes of memory is refused",
    0,
    100_000_000,
  ),
} as const;
