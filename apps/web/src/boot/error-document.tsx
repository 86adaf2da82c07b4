// The last boundary: the frame itself failed, so this page uses nothing of it but words and the stylesheet.

import { useEnglish as text } from "#words/text.ts";
import { readError } from "./error-facts.ts";

export function ErrorDocument({ error }: { error: unknown }) {
  const { status, message } = readError(error);
  const title = status === 404 ? text("error.title404") : text("error.title500");
  return (
    <main id="content" data-error={status} className="container-read flex flex-1 flex-col justify-center py-24">
      <title>{`${title} · ${text("site.name")}`}</title>
      <meta name="robots" content="noindex" />
      <p className="text-muted text-read">{text("error.label", { status })}</p>
      <h1 className="mt-2 text-hero-mobile sm:text-hero">{title}</h1>
      <p className="mt-4 max-w-[560px] break-words text-muted text-read">{message}</p>
      <p className="mt-8">
        <a
          className="inline-flex h-12 items-center rounded-control bg-accent-solid px-6 font-medium text-on-accent-solid"
          href="/"
        >
          {text("error.home")}
        </a>
      </p>
    </main>
  );
}
