// Passes the language to the components (SITE-3, SITE-17): their own few texts and their date format.
import { formatLanguageTag } from "@clockwork/kit/locale";
import { ENGLISH_LABELS, type Labels, LocaleProvider } from "@clockwork/ui/locale";
import { type ReactNode, use, useMemo } from "react";
import { defineTexts, LocaleContext } from "#words/text.ts";

type LabelKey = keyof Labels & string;

const useLabelText = defineTexts<LabelKey>(
  ENGLISH_LABELS,
  import.meta.glob("../locales/*.json", { query: "?area=labels", import: "default" }),
);

export function ComponentLocale({ children }: { readonly children: ReactNode }) {
  const locale = use(LocaleContext);
  const text = useLabelText();
  const labels = useMemo(() => {
    const keys = Object.keys(ENGLISH_LABELS) as LabelKey[];
    return Object.fromEntries(keys.map((key) => [key, text(key)])) as unknown as Labels;
  }, [text]);
  return (
    <LocaleProvider locale={formatLanguageTag(locale)} labels={labels}>
      {children}
    </LocaleProvider>
  );
}
