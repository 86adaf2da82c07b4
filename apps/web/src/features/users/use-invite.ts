// The invite code of whoever signs up: the address, the way a visitor came back from another site, the partner's domain, or
// what this tab was opened with before he looked around.
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { createFlow } from "#session/auth-flow.ts";

const NAME = "inviteCode";
const KEPT_MS = 7 * 86_400_000;
const inviteFlow = createFlow<{ readonly code: string }>("cw_invite", KEPT_MS);

/** `carried` is the query a visitor came with before he left for another site. */
export function useInvite(carried = "") {
  const [search] = useSearchParams();
  const inviter = useGlobal((state) => state.inviteNumber);
  const given = search.get(NAME) ?? new URLSearchParams(carried).get(NAME) ?? "";
  const [invite, setInvite] = useState(given === "" ? (inviter ?? "") : given);
  useEffect(() => {
    if (given !== "") inviteFlow.write({ code: given });
    else setInvite((now) => (now === "" ? (inviteFlow.read()?.code ?? "") : now));
  }, [given]);
  return { invite, setInvite };
}
