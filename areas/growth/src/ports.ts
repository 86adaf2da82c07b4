// What growth needs from later areas and the process; the server's composition provides it.
import type { Aside } from "@clockwork/host/part";
import type { HourPlanner } from "./invite/hour-service.ts";

export interface GrowthPorts {
  /** Whether the college has a course of that name. */
  isCourse(course: string, timeMs: number): Promise<boolean>;
  /** A separate process that computes hours of rebates. */
  openHours(aside: Aside): HourPlanner;
}
