// REST of the users slice: schema → service → envelope.
import { answer, defineRoute, type RouteSpec } from "@clockwork/kit/route";
import { Type } from "typebox";
import { LanguageMenu, TopInfo } from "./api.ts";
import type { UsersService } from "./service.ts";

export function usersRoutes(service: UsersService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: "/v2/users/top-info",
      summary: "Who the visitor is and which languages are open to them",
      tag: "users",
      body: Type.Object({}),
      output: TopInfo,
      handle: async () => answer(service.topInfo()),
    }),
    defineRoute({
      method: "GET",
      path: "/v2/users/language-menu",
      summary: "The languages a visitor may choose",
      tag: "users",
      output: LanguageMenu,
      handle: async () => answer(service.languageMenu()),
    }),
  ];
}
