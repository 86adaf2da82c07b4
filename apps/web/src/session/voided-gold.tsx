// What a transfer would void, fetched on its own: only who has almighty gold ever sees it.
import { latePart } from "#boot/late-part.tsx";

export const VoidedGold = latePart(async () => (await import("./voided-body.tsx")).VoidedBody);
