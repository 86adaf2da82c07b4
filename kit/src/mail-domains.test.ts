import { expect, test } from "vitest";
import { COMPLETION_MAIL_DOMAINS, completeEmail, isPersonalEmail, PUBLIC_MAIL_DOMAINS } from "./mail-domains.ts";
import { checkEmail } from "./validate.ts";

test("[AUTH-9] ninety public providers, twenty-three of them offered as completions", () => {
  expect(PUBLIC_MAIL_DOMAINS).toHaveLength(90);
  expect(new Set(PUBLIC_MAIL_DOMAINS).size).toBe(90);
  expect(COMPLETION_MAIL_DOMAINS).toHaveLength(23);
  for (const domain of COMPLETION_MAIL_DOMAINS) expect(PUBLIC_MAIL_DOMAINS).toContain(domain);
  for (const domain of PUBLIC_MAIL_DOMAINS) expect(checkEmail(`a@${domain}`)).toBeUndefined();
});

test("[AUTH-9] completions follow the text after the at sign", () => {
  expect(completeEmail("ann@g")).toEqual(["ann@gmail.com", "ann@gmx.com"]);
  expect(completeEmail("ann")).toHaveLength(6);
  expect(completeEmail("ann@gmail.com")).toEqual([]);
  expect(completeEmail("@")).toEqual([]);
  expect(completeEmail("")).toEqual([]);
});

test("[AUTH-9] the ninety distinguish personal mail from company mail", () => {
  expect(isPersonalEmail(" Ann@GMAIL.com ")).toBe(true);
  expect(isPersonalEmail("ann@vip.163.com")).toBe(true);
  expect(isPersonalEmail("ann@clockwork.example")).toBe(false);
});
