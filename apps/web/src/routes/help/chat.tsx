// The chat group of a language with support by its speakers (SITE-18). The group's address is a switch of the
// operator's; until there is one the page leads to the form.
import type { Locale } from "@clockwork/kit/constants";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { shortenPath } from "#boot/gate.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { CHAT_GROUP_LOCALES, chatGroupKey } from "../../features/articles/help-links.ts";

interface ChatData {
  readonly locale: Locale;
  readonly url: string | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<ChatData> {
  const { root, rest } = context.get(pageContext);
  const locale = CHAT_GROUP_LOCALES.find((known) => rest === `/help/chat-group/${known}`);
  if (locale === undefined) throw data(`Page Not Found: ${shortenPath(rest)}`, { status: 404 });
  const url = URL.parse(root.globalConfig[chatGroupKey(locale)] ?? "");
  return { locale, url: url?.protocol === "https:" ? url.href : null };
}

export const clientLoader = loadPayload<ChatData>;

/** The language's own name and a sentence in it, with a group and without, since the rest of the page may not be. */
const WORDS: Readonly<Partial<Record<Locale, readonly [name: string, greeting: string, none: string]>>> = {
  zh_CN: ["简体中文", "中文支持在群组中进行。", "目前还没有群组，请用英文给我们写信。"],
  zh_TW: ["繁體中文", "中文支援在群組中進行。", "目前還沒有群組，請用英文寫信給我們。"],
  ru_RU: ["Русский", "Поддержка на русском языке ведётся в группе.", "Группы пока нет. Напишите нам по-английски."],
};

export default function HelpChat() {
  const text = usePublicText();
  const { locale, url } = useLoaderData<ChatData>();
  const [name, greeting, none] = WORDS[locale] ?? [locale, "", ""];
  const lead = text(url === null ? "public.chat.none" : "public.chat.lead");
  return (
    <main id="content" className="container-read max-w-[680px] flex-1 py-10 lg:py-14">
      <PageHead title={text("public.chat.title", { language: name })} description={lead} />
      <p className="text-label text-muted">
        <SiteLink to="/help" className="hover:underline">
          {text("public.help")}
        </SiteLink>
      </p>
      <h1 className="mt-2 font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {text("public.chat.title", { language: name })}
      </h1>
      <p className="mt-4 text-[18px] leading-7" lang={locale.replace("_", "-")}>
        {url === null ? none : greeting}
      </p>
      <p className="mt-3 text-muted text-read">{lead}</p>
      {url !== null && <p className="mt-4 text-read">{text("public.chat.never")}</p>}
      <div className="mt-8 flex flex-wrap gap-3">
        {url !== null && (
          <a href={url} rel="noreferrer" target="_blank" className={buttonClass({ kind: "primary", size: 40 })}>
            {text("public.chat.open")}
          </a>
        )}
        <SiteLink to="/help/requests/new" className={buttonClass({ size: 40 })}>
          {text("public.help.write")}
        </SiteLink>
      </div>
    </main>
  );
}
