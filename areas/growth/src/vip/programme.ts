// Levels and invitations, with what other parts need of them: order rates of API keys, and who invited whom.

import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { type Invite, invitePart } from "../invite/part.ts";
import type { GrowthPorts } from "../ports.ts";
import { type Vip, vipPart } from "./part.ts";

export interface Programme {
  readonly levels: Vip["service"];
  readonly friends: Invite["friends"];
  readonly setFeesBack: Invite["setFeesBack"];
  readonly parts: readonly Part[];
}

export function programmeParts(context: PartContext, ports: Pick<GrowthPorts, "openHours">): Programme {
  const vip = vipPart(context);
  const invite = invitePart(context, ports);
  return { levels: vip.service, friends: invite.friends, setFeesBack: invite.setFeesBack, parts: [vip, invite] };
}
