// REST of the captcha: one call for a puzzle.
import { answer, defineRoute, type RouteSpec } from "@clockwork/host/route";
import { Type } from "typebox";
import { CaptchaChallenge } from "./contract.ts";
import type { CaptchaService } from "./service.ts";

export function captchaRoutes(service: CaptchaService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: "/v2/users/captcha",
      summary: "A puzzle to solve before anything that sends a message or tries a password",
      tag: "captcha",
      body: Type.Object({}),
      output: CaptchaChallenge,
      handle: async (_, { timeMs }) => answer(service.issue(timeMs)),
    }),
  ];
}
