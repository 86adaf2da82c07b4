// Connects visitors' events and push tokens with the database and the operators' console. Holds no rule of its own.

import { pushRoutes } from "@clockwork/messaging/push/routes";
import { PushService } from "@clockwork/messaging/push/service";
import { pushStore } from "@clockwork/messaging/push/store";
import { opsConsoleRoutes } from "@clockwork/site/ops/console-routes";
import { opsRoutes } from "@clockwork/site/ops/routes";
import { OpsService } from "@clockwork/site/ops/service";
import { opsStore } from "@clockwork/site/ops/store";
import type { Part, PartContext } from "../part.ts";

export function opsPart({ database }: PartContext): Part {
  const ops = new OpsService({ store: opsStore(database.kysely) });
  return { routes: [...opsRoutes(ops), ...opsConsoleRoutes(ops)] };
}

export function pushPart({ database }: PartContext): Part {
  return { routes: pushRoutes(new PushService({ store: pushStore(database.kysely) })) };
}
