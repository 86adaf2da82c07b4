// The invite code of a sign-up: the address, the way back from another site, the partner's domain, or this browser's
// cookie of the last seven days.
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { formatInviteCookie, readInviteCookie } from "./invite-cookie.ts";

const NAME = "inviteCode";

/** `carried` is the visitor's query from before another site. */
export function useInvite(carried = "") {
  const [search] = useSearchParams();
  const inviter = useGlobal((state) => state.inviteNumber);
  const given = search.get(NAME) ?? new URLSearchParams(carried).get(NAME) ?? "";
  const [invite, setInvite] = useState(given === "" ? (inviter ?? "") : given);
  useEffect(() => {
    if (given === "") {
      setInvite((now) => (now === "" ? readInviteCookie(document.cookie) : now));
      return;
    }
    const cookie = formatInviteCookie(given, location.protocol === "https:");
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
    if (cookie !== undefined) document.cookie = cookie;
  }, [given]);
  return { invite, setInvite };
}
