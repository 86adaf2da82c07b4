// A request to support: a form of its own in the help centre.
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";

const TicketForm = latePart(async () => (await import("../../features/support/ticket-form.tsx")).TicketForm);

export default function HelpRequest() {
  const text = usePublicText();
  const title = text("public.request");
  return (
    <main id="content" className="container-read max-w-[776px] flex-1 py-10 lg:py-14">
      <PageHead title={title} description={text("public.request.lead")} />
      <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">{title}</h1>
      <p className="mt-3 text-[18px] text-muted leading-7">{text("public.request.lead")}</p>
      <p className="mt-2 text-muted">
        <SiteLink to="/help" className="underline underline-offset-2 hover:text-text">
          {text("public.request.help")}
        </SiteLink>{" "}
        ·{" "}
        <SiteLink to="/help/ticket" className="underline underline-offset-2 hover:text-text">
          {text("public.request.status")}
        </SiteLink>
      </p>
      <TicketForm kind="contact" title={text("public.form.title.contact")} />
    </main>
  );
}
