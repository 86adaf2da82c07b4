// Hands the loaders' data to the browser in one script inside the page. The router's own way streams it through two
// suspended parts, which costs a third of the pages per second; it is kept for data that is still on its way.
import { createContext, use } from "react";
import { useNonce } from "./nonce.ts";

/** The encoded data when all of it was there before rendering started; undefined leaves it to the router. */
export const HandoffContext = createContext<string | undefined>(undefined);

const UNSAFE = /[&><\u2028\u2029]/g;
const escapes: Readonly<Record<string, string>> = {
  "&": "\\u0026",
  ">": "\\u003e",
  "<": "\\u003c",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

function formatScript(data: string): string {
  const text = JSON.stringify(data).replace(UNSAFE, (character) => escapes[character] ?? character);
  return `(function(c){c.enqueue(${text});c.close()})(window.__reactRouterContext.streamController)`;
}

export function Handoff() {
  const data = use(HandoffContext);
  const nonce = useNonce();
  const text = data === undefined ? "" : formatScript(data);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every character that could end a script escaped
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}

export interface Collected {
  /** Everything, when it came at once. */
  readonly data: string | undefined;
  /** The same stream, whole, when some of it is still to come. */
  readonly rest: ReadableStream<Uint8Array> | undefined;
}

/** Reads what is there without waiting for anything but promises already settled. */
export async function collectReady(stream: ReadableStream<Uint8Array>): Promise<Collected> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let late = false;
  const deadline = new Promise<undefined>((done) => {
    setImmediate(() => {
      late = true;
      done(undefined);
    });
  });
  for (;;) {
    const reading = reader.read();
    const part = await Promise.race([reading, deadline]);
    if (part === undefined || late) return { data: undefined, rest: resume(reader, chunks, reading) };
    if (part.done) return { data: Buffer.concat(chunks).toString("utf8"), rest: undefined };
    chunks.push(part.value);
  }
}

function resume(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  chunks: readonly Uint8Array[],
  pending: ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>,
): ReadableStream<Uint8Array> {
  let next: typeof pending | undefined = pending;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    pull: async (controller) => {
      const part = await (next ?? reader.read());
      next = undefined;
      if (part.done) controller.close();
      else controller.enqueue(part.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
