// The outbox for demo runs without a mail server: the mails that would have been sent, as JSON and as a plain page.
// Mounted only outside production and only while no mail server is configured.
import { readAccountName } from "@clockwork/kit/account";
import type { FastifyInstance } from "fastify";

export interface OutboxEntry {
  readonly to: string;
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  readonly unsubscribeUrl: string | null;
  readonly at: number;
}

/** Reads the newest messages to one receiver, or to all. */
export type ListOutbox = (to: string | undefined) => Promise<readonly OutboxEntry[]>;

export function mountOutbox(app: FastifyInstance, list: ListOutbox): void {
  const ask = (query: unknown): Promise<readonly OutboxEntry[]> => {
    const to = (query as { to?: unknown }).to;
    return list(
      typeof to === "string" && to !== ""
        ? (readAccountName(to)?.value ?? to.replaceAll("\0", "").slice(0, 254))
        : undefined,
    );
  };
  app.get("/dev/outbox.json", async (request, reply) => {
    reply.header("cache-control", "no-store");
    return ask(request.query);
  });
  app.get("/dev/outbox", async (request, reply) => {
    const entries = await ask(request.query);
    reply.header("cache-control", "no-store").type("text/html; charset=utf-8");
    return page(entries);
  });
}

function page(entries: readonly OutboxEntry[]): string {
  const items = entries.map(
    ({ to, kind, subject, text, at }) =>
      `<article><h2>${escapeText(subject)}</h2><p>to ${escapeText(to)} · ${escapeText(kind)} · ` +
      `<time datetime="${new Date(at).toISOString()}">${new Date(at).toISOString()}</time></p>` +
      `<pre>${escapeText(text)}</pre></article>`,
  );
  const body = items.length === 0 ? "<p>Nothing has been sent yet.</p>" : items.join("\n");
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outbox</title>` +
    `<meta name="viewport" content="width=device-width"></head><body><main><h1>Outbox</h1>\n${body}\n</main></body></html>`
  );
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
