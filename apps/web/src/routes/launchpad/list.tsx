// The launches there are.
import { LAUNCH_CALLS, type LaunchProjects } from "@clockwork/earning/launchpad/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { EarnFrame } from "../../features/earn/earn-page.tsx";
import { LaunchList } from "../../features/launchpad/launch-list.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<LaunchProjects | null> {
  return (await readCall(context.get(pageContext), LAUNCH_CALLS.projects, {})) ?? null;
}

export const clientLoader = loadPayload<LaunchProjects | null>;

export default function Launchpad() {
  return (
    <EarnFrame part="launchpad">
      <LaunchList data={useLoaderData<LaunchProjects | null>()} />
    </EarnFrame>
  );
}
