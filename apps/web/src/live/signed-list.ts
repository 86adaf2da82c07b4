// Reads a list published elsewhere: `{"list": "…", "signature": "…"}`, signed with Ed25519 over the list's text. What is
// not signed by the key, or cannot be checked in this browser, is no list.

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** What the list holds; nothing when it is not good. */
export async function readSigned(text: string | undefined, key: string): Promise<unknown> {
  try {
    const { list, signature } = JSON.parse(text ?? "null") as Record<string, unknown>;
    if (typeof list !== "string" || typeof signature !== "string") return undefined;
    const algorithm = { name: "Ed25519" };
    const imported = await crypto.subtle.importKey("raw", bytesOf(key), algorithm, false, ["verify"]);
    const message = new TextEncoder().encode(list);
    const isGood = await crypto.subtle.verify(algorithm, imported, bytesOf(signature), message);
    return isGood ? (JSON.parse(list) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
