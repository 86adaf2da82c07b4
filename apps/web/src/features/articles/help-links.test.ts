import { LOCALES } from "@clockwork/kit/constants";
import { expect, test } from "vitest";
import { formatHelpLink, HELP_TARGETS, listHelpLinks } from "./help-links.ts";

test("[SITE-18] links are built from article, section, category and request ids", () => {
  expect(formatHelpLink("aboutUs", "en_US")).toBe("/help/articles/about-us");
  expect(formatHelpLink("notices", "en_US")).toBe("/help/sections/notices");
  expect(formatHelpLink("announcements", "en_US")).toBe("/help/categories/announcements");
  expect(formatHelpLink("submitWorkOrder", "en_US")).toBe("/help/requests/new");
});

test("[SITE-18] exactly zh_CN, zh_TW and ru_RU talk in a chat group instead of a work order", () => {
  const chatting = LOCALES.filter((locale) =>
    formatHelpLink("submitWorkOrder", locale).startsWith("/help/chat-group/"),
  );
  expect(chatting.toSorted()).toEqual(["ru_RU", "zh_CN", "zh_TW"]);
});

test("[SITE-18] every language has every link", () => {
  for (const locale of LOCALES) {
    expect(Object.keys(listHelpLinks(locale)).toSorted()).toEqual(Object.keys(HELP_TARGETS).toSorted());
  }
});
