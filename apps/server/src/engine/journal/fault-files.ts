// Owns a file layer for tests that fails on demand: full disks (as a short write and as ENOSPC), failing syncs,
// and writes of which only some sectors arrive. Must never be used by the running server.
import { type Files, localFiles, type OpenFile } from "./files.ts";

export interface FaultPlan {
  /** Called before each write; a number is how many bytes may be taken, an error is thrown. */
  onWrite?: (path: string, bytes: Uint8Array, position: number) => number | Error | undefined;
  /** Called before each sync; an error is thrown. */
  onSync?: (path: string) => Error | undefined;
  onRename?: (from: string, to: string) => Error | undefined;
  /** Called after a folder was synced: names given before are safe from now on. */
  onFolderSynced?: (folder: string) => void;
}

export function faultyFiles(plan: FaultPlan): Files {
  return {
    ...localFiles,
    open: (path, mode) => withFaults(localFiles.open(path, mode), plan),
    rename: (from, to) => {
      const verdict = plan.onRename?.(from, to);
      if (verdict !== undefined) throw verdict;
      localFiles.rename(from, to);
    },
    syncFolder: (folder) => {
      localFiles.syncFolder(folder);
      plan.onFolderSynced?.(folder);
    },
  };
}

function withFaults(file: OpenFile, plan: FaultPlan): OpenFile {
  return {
    path: file.path,
    size: () => file.size(),
    read: (bytes, position) => file.read(bytes, position),
    write: (bytes, position) => {
      const verdict = plan.onWrite?.(file.path, bytes, position);
      if (verdict instanceof Error) throw verdict;
      if (verdict !== undefined && verdict < bytes.length) return file.write(bytes.subarray(0, verdict), position);
      return file.write(bytes, position);
    },
    syncData: () => {
      const verdict = plan.onSync?.(file.path);
      if (verdict !== undefined) throw verdict;
      file.syncData();
    },
    close: () => file.close(),
  };
}

/** An error as the operating system reports it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
