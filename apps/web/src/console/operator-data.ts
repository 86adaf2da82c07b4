// What every page of the operators' console begins with: who asks. Whoever is no operator finds nothing here.
import type { Me } from "@clockwork/identity/operators/contract";
import { data } from "react-router";
import type { PageContext } from "#boot/page-context.ts";
import { readEnvelope } from "#boot/root-data.ts";

export async function loadOperator({ callApi, rest }: Pick<PageContext, "callApi" | "rest">): Promise<Me> {
  const me = readEnvelope(await callApi({ method: "GET", path: "/v2/operators/me" })) as Me | undefined;
  if (me === undefined) throw data(`Page Not Found: ${rest}`, { status: 404 });
  return me;
}

/** Asked for only once the gate is open: the server would refuse and call it a try. */
export async function loadBehindGate<Value>(
  { callApi }: Pick<PageContext, "callApi">,
  me: Me,
  path: string,
): Promise<Value | null> {
  if (!me.hasTotp || !me.isProved) return null;
  return (readEnvelope(await callApi({ method: "GET", path })) as Value | undefined) ?? null;
}
