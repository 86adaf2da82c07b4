// Serves the built files of the web application. A name carries a hash of its content, so a file never changes while the
// process lives: it is read once and kept, compressed as the build left it. All of them together are two megabytes.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
};
const CACHE_CONTROL = `public, max-age=${365 * 86_400}, immutable`;

const FORMS = [
  { encoding: "br", ending: ".br", accepted: /\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$))/ },
  { encoding: "gzip", ending: ".gz", accepted: /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$))/ },
] as const;

export function acceptsEncoding({ headers }: FastifyRequest, encoding: "br" | "gzip"): boolean {
  const accepted = headers["accept-encoding"];
  const form = FORMS.find((one) => one.encoding === encoding);
  return typeof accepted === "string" && form?.accepted.test(accepted) === true;
}

/** Mounts `/assets/*`: what is not in the folder at the start is not found. */
export function mountAssets(scope: FastifyInstance, folder: string): void {
  const names = new Set(readdirSync(folder));
  const kept = new Map<string, Promise<Buffer>>();
  const read = (name: string): Promise<Buffer> => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const reading = readFile(join(folder, name));
    // A disk that failed once may answer the next visitor.
    reading.catch(() => kept.delete(name));
    kept.set(name, reading);
    return reading;
  };
  const isListed = (name: string): boolean => names.has(name) && !FORMS.some(({ ending }) => name.endsWith(ending));
  scope.get<{ Params: { "*": string } }>("/assets/*", async (request, reply) => {
    const name = request.params["*"];
    if (!isListed(name)) return reply.callNotFound();
    const etag = `W/"${name}"`;
    reply.header("cache-control", CACHE_CONTROL).header("etag", etag).header("vary", "accept-encoding");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    const form = FORMS.find(({ encoding, ending }) => names.has(name + ending) && acceptsEncoding(request, encoding));
    if (form !== undefined) reply.header("content-encoding", form.encoding);
    reply.type(TYPES[extname(name)] ?? "application/octet-stream");
    return reply.send(await read(name + (form?.ending ?? "")));
  });
}
