// Levels and invitations, and what other parts ask of them: how fast programs may order, and who invited whom.
import { type Invite, invitePart } from "../invite/invite.ts";
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { type Vip, vipPart } from "./vip.ts";

export interface Programme {
  readonly levels: Vip["service"];
  readonly friends: Invite["friends"];
  readonly setFeesBack: Invite["setFeesBack"];
  readonly parts: readonly Part[];
}

export function programmeParts(context: PartContext): Programme {
  const vip = vipPart(context);
  const invite = invitePart(context);
  return { levels: vip.service, friends: invite.friends, setFeesBack: invite.setFeesBack, parts: [vip, invite] };
}
