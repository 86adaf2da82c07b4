// The API reference, made from the document the exchange serves about itself: all groups, or the calls of one.
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { shortenPath } from "#boot/gate.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { groupName, readReference } from "../features/reference/openapi.ts";
import { type ReferenceData, ReferencePage } from "../features/reference/reference-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ReferenceData> {
  const { callApi, rest } = context.get(pageContext);
  const groups = readReference(await callApi({ method: "GET", path: "/openapi.json", isRoot: true, shared: true }));
  const index = groups.map(({ tag, operations }) => ({ tag, count: operations.length }));
  const wanted = rest.replace(/^\/api-docs\/?|\/$/g, "");
  if (wanted === "") return { index, group: null };
  const group = groups.find(({ tag }) => groupName(tag) === wanted);
  if (group === undefined) throw data(`Page Not Found: ${shortenPath(rest)}`, { status: 404 });
  return { index, group };
}

export const clientLoader = loadPayload<ReferenceData>;

export default function ApiDocs() {
  return <ReferencePage {...useLoaderData<ReferenceData>()} />;
}
