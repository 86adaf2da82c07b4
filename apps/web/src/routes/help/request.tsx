// A request to support: the contact page's text and form, at the help centre's address.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../../features/articles/legal-data.ts";

const TicketForm = latePart(async () => (await import("../../features/support/ticket-form.tsx")).TicketForm);

export function loader({ context }: LoaderFunctionArgs): Promise<LegalData> {
  return loadLegal({ ...context.get(pageContext), rest: "/contact-us" });
}

export const clientLoader = loadPayload<LegalData>;

export default function HelpRequest() {
  const text = usePublicText();
  const title = text("public.form.title.contact");
  return (
    <DocumentPage {...useLoaderData<LegalData>()} listTitle={text("public.legal")} more={[{ id: "form", title }]}>
      <TicketForm kind="contact" title={title} />
    </DocumentPage>
  );
}
