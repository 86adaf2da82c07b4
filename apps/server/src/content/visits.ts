// Connects visitors' events and push tokens with the database and the operators' console. Holds no rule of its own.
import { opsConsoleRoutes } from "@clockwork/domains/ops/console-routes";
import { opsRoutes } from "@clockwork/domains/ops/routes";
import { OpsService } from "@clockwork/domains/ops/service";
import { opsStore } from "@clockwork/domains/ops/store";
import { pushRoutes } from "@clockwork/domains/push/routes";
import { PushService } from "@clockwork/domains/push/service";
import { pushStore } from "@clockwork/domains/push/store";
import type { Part, PartContext } from "../part.ts";

export function opsPart({ database }: PartContext): Part {
  const ops = new OpsService({ store: opsStore(database.kysely) });
  return { routes: [...opsRoutes(ops), ...opsConsoleRoutes(ops)] };
}

export function pushPart({ database }: PartContext): Part {
  return { routes: pushRoutes(new PushService({ store: pushStore(database.kysely) })) };
}
