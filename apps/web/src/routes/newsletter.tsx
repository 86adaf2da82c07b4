// The newsletter: the form, or the action of a link in its mail.
import { useSearchParams } from "react-router";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { NewsletterAction, NewsletterForm } from "../features/newsletter/newsletter-form.tsx";

export default function Newsletter() {
  const text = usePublicText();
  const [search] = useSearchParams();
  const action = (["confirm", "leave"] as const).find((name) => search.has(name));
  return (
    <main id="content" className="container-read max-w-[680px] flex-1 py-10 lg:py-14">
      <PageHead title={text("public.mail")} description={text("public.mail.lead")} noIndex={action !== undefined} />
      <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {text("public.mail")}
      </h1>
      <p className="mt-3 mb-8 text-[18px] text-muted leading-7">{text("public.mail.lead")}</p>
      {action === undefined ? (
        <NewsletterForm />
      ) : (
        <NewsletterAction action={action} token={search.get(action) ?? ""} />
      )}
    </main>
  );
}
