// A legal document; its address names it.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { DocumentPage } from "../features/articles/document-page.tsx";
import { type LegalData, loadLegal } from "../features/articles/legal-data.ts";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";
import { usePublicText } from "../frame/public-text.ts";

export function loader({ context }: LoaderFunctionArgs): Promise<LegalData> {
  return loadLegal(context.get(pageContext));
}

export const clientLoader = loadPayload<LegalData>;

export default function Legal() {
  const text = usePublicText();
  return <DocumentPage {...useLoaderData<LegalData>()} listTitle={text("public.legal")} />;
}
