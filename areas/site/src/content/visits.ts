// Connects visitors' events and push tokens with the database and the console. Contains no rules.

import type { Part } from "@clockwork/host/part";
import { pushRoutes } from "@clockwork/messaging/push/routes";
import { PushService } from "@clockwork/messaging/push/service";
import { pushStore } from "@clockwork/messaging/push/store";
import type { PartContext } from "@clockwork/trading/context";
import { opsConsoleRoutes } from "../ops/console-routes.ts";
import { opsRoutes } from "../ops/routes.ts";
import { OpsService } from "../ops/service.ts";
import { opsStore } from "../ops/store.ts";

export function opsPart({ database }: PartContext): Part {
  const ops = new OpsService({ store: opsStore(database.kysely) });
  return { routes: [...opsRoutes(ops), ...opsConsoleRoutes(ops)] };
}

export function pushPart({ database }: PartContext): Part {
  return { routes: pushRoutes(new PushService({ store: pushStore(database.kysely) })) };
}
