// Hands a file to the browser's downloads.

/** A slow machine reads it well after the press; an address left open for good would keep the file in memory. */
const KEPT_MS = 60_000;

export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
