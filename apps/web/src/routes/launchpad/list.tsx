// The launches there are.
import { LAUNCH_PATHS, type LaunchProjects } from "@clockwork/earning/launchpad/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { EarnFrame } from "../../features/earn/earn-page.tsx";
import { LaunchList } from "../../features/launchpad/launch-list.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LaunchProjects | null> {
  const { callApi } = context.get(pageContext);
  return (
    (readEnvelope(await callApi({ method: "GET", path: LAUNCH_PATHS.projects })) as LaunchProjects | undefined) ?? null
  );
}

export const clientLoader = loadPayload<LaunchProjects | null>;

export default function Launchpad() {
  return (
    <EarnFrame part="launchpad">
      <LaunchList data={useLoaderData<LaunchProjects | null>()} />
    </EarnFrame>
  );
}
