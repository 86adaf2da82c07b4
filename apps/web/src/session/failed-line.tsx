// The retry line on its own: it is no part of any page's first load, for most pages never show it.
import { latePart } from "#boot/late-part.tsx";

export const FailedLine = latePart(async () => (await import("./failed-body.tsx")).FailedBody);
