// REST of the captcha: one call for a puzzle.
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { CAPTCHA_CALLS } from "./contract.ts";
import type { CaptchaService } from "./service.ts";

export function captchaRoutes(service: CaptchaService): readonly RouteSpec[] {
  return [
    serve(CAPTCHA_CALLS.challenge, {
      summary: "A puzzle to solve before anything that sends a message or tries a password",
      tag: "captcha",
      handle: async (_, { timeMs }) => answer(service.issue(timeMs)),
    }),
  ];
}
