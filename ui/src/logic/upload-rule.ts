// Which files an upload takes, and how their sizes are formatted. The server checks again; this only spares a wait.

export interface UploadRule {
  /** Media types such as "image/png", or "image/*". */
  readonly types: readonly string[];
  readonly bytesMax: number;
  readonly countMax: number;
}

export type UploadFault = "type" | "size" | "count" | "empty";

export interface FileFacts {
  readonly type: string;
  readonly size: number;
}

export function findUploadFault(file: FileFacts, alreadyCount: number, rule: UploadRule): UploadFault | undefined {
  if (alreadyCount >= rule.countMax) return "count";
  if (!rule.types.some((type) => matchesType(file.type, type))) return "type";
  if (file.size === 0) return "empty";
  return file.size > rule.bytesMax ? "size" : undefined;
}

function matchesType(type: string, wanted: string): boolean {
  return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/** Rounded up, so that a file at the limit never looks smaller than it is. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${(Math.ceil(value * 10) / 10).toFixed(1)} ${units[unit]}`;
}
