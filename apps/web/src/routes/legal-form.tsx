// A legal document with a form below it: complaints, contact, whistleblower.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { usePublicText } from "#words/public-text.ts";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";

const TicketForm = latePart(async () => (await import("../features/support/ticket-form.tsx")).TicketForm);

const KINDS = {
  complaints: "complaint",
  "contact-us": "contact",
  "whistleblower-policy": "whistleblower",
} as const;

export function loader({ context }: LoaderFunctionArgs): Promise<LegalData> {
  return loadLegal(context.get(pageContext));
}

export const clientLoader = loadPayload<LegalData>;

export default function LegalForm() {
  const text = usePublicText();
  const data = useLoaderData<LegalData>();
  const kind = KINDS[data.article.slug as keyof typeof KINDS] ?? "contact";
  const title = text(`public.form.title.${kind}`);
  return (
    <DocumentPage {...data} listTitle={text("public.legal")} more={[{ id: "form", title }]}>
      <TicketForm key={kind} kind={kind} title={title} />
    </DocumentPage>
  );
}
