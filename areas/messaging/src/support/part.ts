// Connects the support forms, the operators' console for support and the chat with the database, the captcha, the picture maker, accounts
// and the configuration. Holds no rule of its own.
import { createHash, createHmac, randomInt } from "node:crypto";
import type { BaseContext, PartWith } from "@clockwork/host/part";
import { chatRoutes } from "../chat/routes.ts";
import { ChatService } from "../chat/service.ts";
import { writeTicket } from "../messages/text-rules.ts";
import type { MessagingPorts } from "../ports.ts";
import { supportConsoleRoutes } from "./console-routes.ts";
import { SupportConsole } from "./console-service.ts";
import { consoleStore } from "./console-store.ts";
import type { SupportNeeds } from "./needs.ts";
import { supportRoutes } from "./routes.ts";
import { SupportService } from "./service.ts";
import { supportStore } from "./store.ts";

export interface SupportContext extends MessagingPorts, Pick<BaseContext, "database" | "pictures"> {
  readonly config: Pick<BaseContext["config"], "chatUrl" | "chatAppId" | "chatSecret">;
}

export interface Support extends PartWith<"routes" | "start"> {
  readonly support: SupportService;
}

const STATUS_PATH = "/help/ticket";

export function supportPart(
  { database, accounts, config, audit, mayOperate, pictures }: SupportContext,
  levels: Pick<SupportNeeds, "levelOf">,
): Support {
  const { kysely } = database;
  const store = supportStore(kysely, accounts.guard);
  const support = new SupportService({
    store,
    needs: {
      isCaptchaSolved: accounts.isCaptchaSolved,
      mayWriteTo: accounts.mayWriteTo,
      levelOf: (userId) => levels.levelOf(userId),
      redrawPicture: (bytes) => pictures.redraw(bytes),
      hash: (text) => createHash("sha256").update(text).digest("hex"),
      randomText: (alphabet, length) =>
        Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(""),
      sendMail: (to, { kind, number }) =>
        accounts.sendMail(to, writeTicket(kind, number, accounts.origin + STATUS_PATH)),
    },
  });
  const { chatUrl, chatAppId, chatSecret } = config;
  const chat = new ChatService({
    chat: chatUrl === undefined ? undefined : { url: chatUrl, appId: chatAppId },
    findPerson: accounts.findPerson,
    sign: (text) => createHmac("sha256", chatSecret).update(text).digest("base64url"),
  });
  return {
    support,
    start: store.sealPlain,
    routes: [
      ...supportRoutes(support),
      ...chatRoutes(chat),
      ...supportConsoleRoutes({
        tickets: new SupportConsole({ ...store, ...consoleStore(kysely, accounts.guard) }),
        service: support,
        audit,
        seesReports: (context) => mayOperate(context, "reports.read"),
      }),
    ],
  };
}
