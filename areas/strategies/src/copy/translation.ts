// Asks the configured provider for a text in another language, in the way LibreTranslate is asked. An answer that does not
// come, or makes no sense, is none: the text is then shown as it was written.
const WAIT_MS = 5_000;
const ANSWER_MAX = 10_000;

/** Undefined while no provider is configured. */
export function openTranslator(url: string | undefined) {
  if (url === undefined) return undefined;
  return async (text: string, to: string): Promise<string | undefined> => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ q: text, source: "auto", target: to.slice(0, 2), format: "text" }),
        redirect: "error",
        signal: AbortSignal.timeout(WAIT_MS),
      });
      const body: unknown = response.ok ? await response.json() : undefined;
      const said = (body as { readonly translatedText?: unknown } | undefined)?.translatedText;
      return typeof said === "string" && said !== "" ? said.slice(0, ANSWER_MAX) : undefined;
    } catch {
      return undefined;
    }
  };
}
