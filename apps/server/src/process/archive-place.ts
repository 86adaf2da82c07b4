// The settings of the archive as the place the engine writes to.
import type { Config } from "@clockwork/host/settings/config";
import type { ArchivePlace } from "../engine/journal/archive-store.ts";

type Settings = Pick<Config, "archive" | "archiveEndpoint" | "archiveRegion" | "archiveCredentials">;

export function archivePlaceOf(config: Settings): ArchivePlace | undefined {
  const { archive, archiveEndpoint: endpoint, archiveRegion: region, archiveCredentials: credentials } = config;
  if (archive === "off") return undefined;
  if (!archive.startsWith("s3://")) return { kind: "folder", path: archive };
  const [bucket = "", ...rest] = archive.slice("s3://".length).split("/");
  const path = rest.filter((part) => part !== "").join("/");
  return { kind: "s3", endpoint, region, bucket, prefix: path === "" ? "" : `${path}/`, credentials };
}
