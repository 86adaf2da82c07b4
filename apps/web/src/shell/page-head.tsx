// Title, description, canonical, language alternates and sharing tags of a page (SITE-21). React lifts them into the
// head.
import { LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import { formatLanguageTag, formatLocalePath, parseLocalePath } from "@clockwork/kit/locale";
import { useLocation, useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { useText } from "#words/text.ts";

export interface PageHeadProps {
  readonly title: string;
  readonly description?: string;
  /** Errors and private pages are excluded from indexes. */
  readonly noIndex?: boolean;
  /** Path of the picture that represents the page where it is shared. */
  readonly picture?: string;
}

export function PageHead({ title, description, noIndex = false, picture }: PageHeadProps) {
  const text = useText();
  const { rest } = parseLocalePath(useLocation().pathname);
  const root = useRouteLoaderData<RootData>("root");
  const origin = root?.origin ?? "";
  const summary = description ?? text("site.description");
  const whole = `${title} · ${text("site.name")}`;
  if (noIndex) {
    return (
      <>
        <title>{whole}</title>
        <meta name="robots" content="noindex" />
      </>
    );
  }
  return (
    <>
      <title>{whole}</title>
      <meta name="description" content={summary} />
      <link rel="canonical" href={origin + rest} />
      <link rel="alternate" hrefLang="x-default" href={origin + rest} />
      {LOCAL_LANGUAGES.map(({ lang }) => (
        <link
          key={lang}
          rel="alternate"
          hrefLang={formatLanguageTag(lang)}
          href={origin + formatLocalePath(rest, lang)}
        />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={text("site.name")} />
      <meta property="og:title" content={whole} />
      <meta property="og:description" content={summary} />
      <meta property="og:url" content={origin + rest} />
      {picture === undefined ? null : <meta property="og:image" content={origin + picture} />}
      <meta name="twitter:card" content={picture === undefined ? "summary" : "summary_large_image"} />
    </>
  );
}
