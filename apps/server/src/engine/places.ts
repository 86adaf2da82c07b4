// Paths of the engine's files inside a data folder.
import { join } from "node:path";

export const journalFolderOf = (folder: string): string => join(folder, "journal");
export const snapshotFolderOf = (folder: string): string => join(folder, "snapshots");
