// The data every page of the operators' console starts with: the caller. A caller who is no operator gets not-found.
import { type Me, OPERATOR_CALLS } from "@clockwork/identity/operators/contract";
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { data } from "react-router";
import type { PageContext } from "#boot/page-context.ts";
import { readCall } from "#boot/read-call.ts";

export async function loadOperator(page: Pick<PageContext, "callApi" | "rest">): Promise<Me> {
  const me = await readCall(page, OPERATOR_CALLS.me, {});
  if (me === undefined) throw data(`Page Not Found: ${page.rest}`, { status: 404 });
  return me;
}

/** Called only once the operator has proved who they are: the server would refuse and count an attempt. */
export async function loadBehindGate<Called extends Endpoint>(
  page: Pick<PageContext, "callApi">,
  me: Me,
  called: Called,
  input: InputOf<Called>,
): Promise<DataOf<Called> | null> {
  if (!me.hasTotp || !me.isProved) return null;
  return (await readCall(page, called, input)) ?? null;
}
