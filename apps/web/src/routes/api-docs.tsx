// The API reference, made from the document the exchange serves about itself.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { type OperationGroup, readReference } from "../features/reference/openapi.ts";
import { ReferencePage } from "../features/reference/reference-page.tsx";

interface ReferenceData {
  readonly groups: readonly OperationGroup[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<ReferenceData> {
  const { callApi } = context.get(pageContext);
  return { groups: readReference(await callApi({ method: "GET", path: "/openapi.json", isRoot: true, shared: true })) };
}

export const clientLoader = loadPayload<ReferenceData>;

export default function ApiDocs() {
  return <ReferencePage {...useLoaderData<ReferenceData>()} />;
}
