// What messaging needs from later areas; the server's composition provides it.
import type { Audit } from "@clockwork/host/audit";
import type { RouteContext } from "@clockwork/host/route";
import type { Sealing } from "@clockwork/host/vault";
import type { Result } from "@clockwork/kit/result";
import type { ChatNeeds } from "./chat/needs.ts";
import type { Message } from "./messages/rules.ts";
import type { NoticeService } from "./notices/service.ts";
import type { SupportNeeds } from "./support/needs.ts";

export interface MessagingPorts {
  readonly audit: Audit;
  readonly mayOperate: (context: RouteContext, permission: string) => Promise<boolean>;
  readonly accounts: Pick<SupportNeeds, "isCaptchaSolved" | "mayWriteTo"> &
    Pick<ChatNeeds, "findPerson"> & {
      /** The public origin of the site. */
      readonly origin: string;
      readonly notices: Pick<NoticeService, "register" | "notify">;
      /** An operator's permissions, regardless of proofs; empty for all others. */
      readonly roles: {
        me(
          operator: { readonly userId: number; readonly sessionId: string; readonly address: string },
          timeMs: number,
        ): Promise<Result<{ readonly permissions: readonly string[] }, string>>;
      };
      sendMail(to: string, words: Pick<Message, "kind" | "subject" | "text">): Promise<void>;
      readonly guard: Sealing;
    };
}
