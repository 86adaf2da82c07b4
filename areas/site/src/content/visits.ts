// Connects visitors' events and push tokens with the database and the operators' console. Holds no rule of its own.

import { pushRoutes } from "@clockwork/messaging/push/routes";
import { PushService } from "@clockwork/messaging/push/service";
import { pushStore } from "@clockwork/messaging/push/store";
import { opsConsoleRoutes } from "../ops/console-routes.ts";
import { opsRoutes } from "../ops/routes.ts";
import { OpsService } from "../ops/service.ts";
import { opsStore } from "../ops/store.ts";
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";

export function opsPart({ database }: PartContext): Part {
  const ops = new OpsService({ store: opsStore(database.kysely) });
  return { routes: [...opsRoutes(ops), ...opsConsoleRoutes(ops)] };
}

export function pushPart({ database }: PartContext): Part {
  return { routes: pushRoutes(new PushService({ store: pushStore(database.kysely) })) };
}
